"""Checks that a rule can ask for: checksums of numbers that people are known by, and the calendar.

Each is a function of the identifier as it stands in the folded text. It looks at digits and letters only, so that
blanks and dashes do not matter.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from ipaddress import IPv6Address

from elision.languages.base import shipped
from elision.rules.calendar import date_any, date_dmy, date_dmy_loose, date_mdy, date_ocr, date_ymd, is_date

_DNI = "TRWAGMYFPDXBNJZSQVHLCKE"
_TW = "ABCDEFGHJKLMNPQRSTUVXYWZIO"  # the letters of Taiwan's ids in the order of their numbers, from 10
_ZH_WEIGHTS = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
_ZH_LAST = "10X98765432"
_VIN = dict(zip("ABCDEFGHJKLMNPRSTUVWXYZ", map(int, "12345678123457923456789"), strict=True))


def _plain(text: str) -> str:
    return re.sub(r"[^0-9A-Za-z]", "", text).upper()


def _digits(text: str) -> list[int]:
    return [int(character) for character in text if "0" <= character <= "9"]


def _weighed(digits: Sequence[int], weights: Sequence[int]) -> int:
    return sum(digit * weight for digit, weight in zip(digits, weights, strict=True))


def luhn(text: str) -> bool:
    """Cards, and much else: every second digit from the right is doubled."""
    digits = _digits(text)[::-1]
    total = sum(digits[::2]) + sum(sum(divmod(2 * digit, 10)) for digit in digits[1::2])
    return len(digits) > 1 and total % 10 == 0 and any(digits)


def iban(text: str) -> bool:
    plain = _plain(text)
    if not 15 <= len(plain) <= 34 or not re.fullmatch(r"[A-Z]{2}\d\d[A-Z0-9]+", plain):
        return False
    return int("".join(str(int(character, 36)) for character in plain[4:] + plain[:4])) % 97 == 1


def us_ssn(text: str) -> bool:
    """No area 000, 666 or 900 and above, no group 00, no number 0000."""
    digits = "".join(map(str, _digits(text)))
    return len(digits) == 9 and digits[:3] not in ("000", "666") and digits[0] != "9" and digits[3:5] != "00" and (
        digits[5:] != "0000"
    )  # fmt: skip


def us_mbi(text: str) -> bool:
    """The number of Medicare since 2018: no S, L, O, I, B, Z in it."""
    letter = "[AC-HJKMNP-RT-Y]"
    return re.fullmatch(rf"[1-9]{letter}[0-9AC-HJKMNP-RT-Y]\d{letter}[0-9AC-HJKMNP-RT-Y]\d{letter}{{2}}\d\d", _plain(text)) is not None  # fmt: skip  # noqa: E501


def us_npi(text: str) -> bool:
    digits = _digits(text)
    return len(digits) == 10 and digits[0] in (1, 2) and luhn("80840" + "".join(map(str, digits)))


def gb_nhs(text: str) -> bool:
    digits = _digits(text)
    if len(digits) != 10 or len(set(digits)) == 1:
        return False
    last = 11 - _weighed(digits[:9], range(10, 1, -1)) % 11
    return last != 10 and digits[9] == last % 11


def au_medicare(text: str) -> bool:
    digits = _digits(text)
    return len(digits) in (10, 11) and 2 <= digits[0] <= 6 and (
        _weighed(digits[:8], (1, 3, 7, 9, 1, 3, 7, 9)) % 10 == digits[8]
    )  # fmt: skip


def au_tfn(text: str) -> bool:
    digits = _digits(text)
    return len(digits) == 9 and any(digits) and _weighed(digits, (1, 4, 3, 7, 5, 8, 6, 9, 10)) % 11 == 0


def es_dni(text: str) -> bool:
    """DNI and NIE: the letter behind the number is its remainder by 23."""
    plain = _plain(text)
    match = re.fullmatch(r"([XYZ]?)(\d{7,8})([A-Z])", plain)
    if not match or (match[1] and len(match[2]) != 7):
        return False
    number = int(("XYZ".index(match[1]) if match[1] else 0) * 10 ** 7 + int(match[2]))  # fmt: skip
    return _DNI[number % 23] == match[3]


def es_nss(text: str) -> bool:
    """The number of Spanish social security: province, number, and the remainder of both by 97."""
    digits = "".join(map(str, _digits(text)))
    if len(digits) != 12 or not 1 <= int(digits[:2]) <= 66:
        return False
    number = int(digits[2:10])
    base = int(digits[:2]) * 10**7 + number if number < 10**7 else int(digits[:10])
    return base % 97 == int(digits[10:])


def nl_bsn(text: str) -> bool:
    """The eleven-test."""
    digits = _digits(text)
    if len(digits) == 8:
        digits = [0, *digits]
    return len(digits) == 9 and any(digits) and _weighed(digits, (9, 8, 7, 6, 5, 4, 3, 2, -1)) % 11 == 0


def be_national(text: str) -> bool:
    """The Belgian national number: the remainder by 97, with a 2 before it for those born since 2000."""
    digits = "".join(map(str, _digits(text)))
    if len(digits) != 11 or int(digits[2:4]) % 20 > 12 or int(digits[4:6]) > 31:
        return False
    number, last = digits[:9], int(digits[9:])
    return last in (97 - int(number) % 97, 97 - int("2" + number) % 97)


def nl_be_phone(text: str) -> bool:
    """Ten digits in the Netherlands and for Belgian mobiles, nine for other Belgian telephones; 0 and no 0 begin."""
    digits = _digits(text)
    return (
        len(digits) in (9, 10) and digits[0] == 0 and digits[1] != 0 and (len(digits) == 10 or digits[1] not in (4, 6))
    )


def cn_resident(text: str) -> bool:
    """The Chinese resident id: region, birth date, number, check character."""
    plain = _plain(text)
    if not re.fullmatch(r"[1-9]\d{16}[\dX]", plain) or not is_date(
        int(plain[6:10]), int(plain[10:12]), int(plain[12:14])
    ):
        return False
    return _ZH_LAST[_weighed([int(digit) for digit in plain[:17]], _ZH_WEIGHTS) % 11] == plain[17]


def tw_id(text: str) -> bool:
    plain = _plain(text)
    if not re.fullmatch(r"[A-Z][1289]\d{8}", plain):
        return False
    first = _TW.index(plain[0]) + 10
    digits = [first // 10, first % 10, *(int(digit) for digit in plain[1:])]
    return _weighed(digits, (1, 9, 8, 7, 6, 5, 4, 3, 2, 1, 1)) % 10 == 0


def hk_id(text: str) -> bool:
    match = re.fullmatch(r"([A-Z]{1,2})(\d{6})([\dA])", _plain(text))
    if not match:
        return False
    letters = [36, *(int(letter, 36) for letter in match[1])][-2:]
    digits = [*letters, *(int(digit) for digit in match[2]), 10 if match[3] == "A" else int(match[3])]
    return _weighed(digits, range(9, 0, -1)) % 11 == 0


def vin(text: str) -> bool:
    """A vehicle's number of 17 characters without I, O and Q, digits and letters both."""
    plain = _plain(text)
    return re.fullmatch(r"[A-HJ-NPR-Z0-9]{17}", plain) is not None and not plain.isdigit() and not plain.isalpha()


def vin_us(text: str) -> bool:
    """A vehicle's number as North America has it, with a check character in the ninth place."""
    plain = _plain(text)
    if not vin(plain):
        return False
    values = [int(character) if character.isdigit() else _VIN[character] for character in plain]
    return "0123456789X"[_weighed(values, (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2)) % 11] == plain[8]


def us_dea(text: str) -> bool:
    """The number under which a US prescriber may order narcotics: two letters, seven digits."""
    digits = _digits(_plain(text)[2:])
    return len(digits) == 7 and (_weighed(digits[:6], (1, 2, 1, 2, 1, 2)) % 10) == digits[6]


def us_aba(text: str) -> bool:
    """The routing number of a US bank."""
    digits = _digits(text)
    return len(digits) == 9 and any(digits) and _weighed(digits, (3, 7, 1) * 3) % 10 == 0


def gb_chi(text: str) -> bool:
    """The Scottish patient number: birth date, four digits, the last of them by elevens."""
    digits = _digits(text)
    if len(digits) != 10 or not is_date(2000, digits[2] * 10 + digits[3], digits[0] * 10 + digits[1]):
        return False
    return _weighed(digits, range(10, 0, -1)) % 11 == 0


def ipv6(text: str) -> bool:
    try:
        return IPv6Address(text).version == 6
    except ValueError:
        return False


def ipv4(text: str) -> bool:
    parts = text.split(".")
    return len(parts) == 4 and all(part.isdigit() and int(part) < 256 for part in parts)


def some_digit(text: str) -> bool:
    return any(character.isdigit() for character in text)


def three_digits(text: str) -> bool:
    return len(_digits(text)) >= 3


def four_digits(text: str) -> bool:
    return len(_digits(text)) >= 4


def six_digits(text: str) -> bool:
    """Enough for a telephone: six digits, or letters that a scanner took for some of them."""
    return sum(character in "0123456789OolI" for character in text) >= 6 and len(_digits(text)) >= 4


def ar_cuit(text: str) -> bool:
    """CUIT and CUIL of Argentina: the DNI between a kind and a check digit."""
    digits = _digits(text)
    if len(digits) != 11 or digits[0] not in (2, 3):
        return False
    last = 11 - _weighed(digits[:10], (5, 4, 3, 2, 7, 6, 5, 4, 3, 2)) % 11
    return digits[10] == {11: 0, 10: 9}.get(last, last)


def cl_rut(text: str) -> bool:
    """RUT and RUN of Chile: eight or seven digits and a check character, perhaps K."""
    plain = _plain(text)
    if not re.fullmatch(r"\d{7,8}[\dK]", plain):
        return False
    total = sum(int(digit) * (2 + place % 6) for place, digit in enumerate(plain[-2::-1]))
    return plain[-1] == "0123456789K"[-total % 11]


def mx_curp(text: str) -> bool:
    """The population code of Mexico; its last digit weighs the others."""
    plain = re.sub(r"[^0-9A-ZÑ]", "", text.upper())
    if not re.fullmatch(r"[A-Z]{4}\d{6}[HMX][A-Z]{5}[0-9A-Z]\d", plain.replace("Ñ", "X")):
        return False
    order = "0123456789ABCDEFGHIJKLMNÑOPQRSTUVWXYZ"
    return -sum(order.index(character) * (18 - place) for place, character in enumerate(plain[:17])) % 10 == int(
        plain[17]
    )


def tw_business(text: str) -> bool:
    """統一編號 of firms in Taiwan: eight digits, the sum of their products by 5; a 7 in the seventh place may be 0."""
    digits = _digits(text)
    if len(digits) != 8 or not any(digits):
        return False
    total = sum(sum(divmod(digit * weight, 10)) for digit, weight in zip(digits, (1, 2, 1, 2, 1, 2, 4, 1), strict=True))
    return total % 5 == 0 or (digits[6] == 7 and (total + 1) % 5 == 0)


def cn_credit(text: str) -> bool:
    """统一社会信用代码 of firms and hospitals in China: 18 characters without I, O, S, V, Z, weighed by powers of 3."""
    order = "0123456789ABCDEFGHJKLMNPQRTUWXY"
    plain = _plain(text)
    if len(plain) != 18 or any(character not in order for character in plain):
        return False
    return -sum(order.index(character) * pow(3, place, 31) for place, character in enumerate(plain[:17])) % 31 == (
        order.index(plain[17])
    )


CHECKS: Mapping[str, Callable[[str], bool]] = {
    function.__name__.replace("_", "-"): function
    for function in (
        luhn, iban, us_ssn, us_mbi, us_npi, gb_nhs, au_medicare, au_tfn, es_dni, es_nss, nl_bsn, be_national,
        nl_be_phone, cn_resident, tw_id, hk_id, vin, ipv4, some_digit, date_dmy, date_mdy, date_any, date_ymd,
        date_dmy_loose, three_digits, four_digits, six_digits, ar_cuit, cl_rut, mx_curp,
        vin_us, us_dea, us_aba, gb_chi, ipv6, date_ocr, tw_business, cn_credit,
    )
} | {name: check for one in shipped().values() for name, check in one.checks.items()}  # fmt: skip
