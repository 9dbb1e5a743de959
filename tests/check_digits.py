"""Check digits: each function says whether a number, without its punctuation, is right."""

from __future__ import annotations


def weighted(digits: str, weights: list[int]) -> int:
    return sum(int(digit) * weight for digit, weight in zip(digits, weights, strict=True))


def bsn(number: str) -> bool:
    return len(number) == 9 and weighted(number, [9, 8, 7, 6, 5, 4, 3, 2, -1]) % 11 == 0


def dni(number: str) -> bool:
    digits = number[:-1].replace("X", "0").replace("Y", "1").replace("Z", "2")
    return len(digits) == 8 and "TRWAGMYFPDXBNJZSQVHLCKE"[int(digits) % 23] == number[-1]


def spanish_social_security(number: str) -> bool:
    return len(number) == 12 and int(number[:10]) % 97 == int(number[10:])


def curp(number: str) -> bool:
    total = weighted_letters(number[:17], "0123456789ABCDEFGHIJKLMNÑOPQRSTUVWXYZ")
    return len(number) == 18 and (10 - total % 10) % 10 == int(number[17])


def weighted_letters(text: str, alphabet: str) -> int:
    return sum(alphabet.index(character) * (18 - at) for at, character in enumerate(text))


def resident_id(number: str) -> bool:
    weights = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]
    return len(number) == 18 and "10X98765432"[weighted(number[:17], weights) % 11] == number[17]


def taiwan_id(number: str) -> bool:
    letter = "ABCDEFGHJKLMNPQRSTUVXYWZIO".index(number[0]) + 10
    return weighted(f"{letter}{number[1:]}", [1, 9, 8, 7, 6, 5, 4, 3, 2, 1, 1]) % 10 == 0


def nhs(number: str) -> bool:
    return len(number) == 10 and weighted(number, list(range(10, 0, -1))) % 11 == 0


def luhn(number: str) -> bool:
    doubled = (sum(divmod(2 * int(digit), 10)) for digit in number[-2::-2])
    return (sum(map(int, number[::-2])) + sum(doubled)) % 10 == 0


def iban(number: str) -> bool:
    return int("".join(str(int(character, 36)) for character in number[4:] + number[:4])) % 97 == 1


def spanish_account(number: str) -> bool:
    """The two digits inside a Spanish IBAN that check bank and branch, and the account."""
    weights = [1, 2, 4, 8, 5, 10, 9, 7, 3, 6]
    pair = ("00" + number[4:12], number[14:])
    return iban(number) and number[12:14] == "".join(
        str({10: 1, 11: 0}.get(check := 11 - weighted(part, weights) % 11, check)) for part in pair
    )
