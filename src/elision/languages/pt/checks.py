"""What a rule can ask of the numbers of Portugal and Brazil: whether their check digits are right."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

_PRIMES = (29, 23, 19, 17, 13, 11, 7, 5, 3, 2)
_PIS = (3, 2, 9, 8, 7, 6, 5, 4, 3, 2)
_CNPJ = (6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2)


def _digits(text: str) -> list[int]:
    return [int(char) for char in text if char.isdecimal()]


def _weighed(digits: Sequence[int], weights: Sequence[int]) -> int:
    return sum(digit * weight for digit, weight in zip(digits, weights, strict=True))


def _mod11(digits: Sequence[int], weights: Sequence[int]) -> int:
    rest = _weighed(digits, weights) % 11
    return 0 if rest < 2 else 11 - rest


def pt_nif(text: str) -> bool:
    """Número de Identificação Fiscal: nine digits, the last a checksum."""
    digits = _digits(text)
    if len(digits) != 9 or (digits[0] not in (1, 2, 3, 5, 6, 8, 9) and digits[:2] not in ([4, 5], [7, 0], [7, 1])):
        return False
    return digits[8] == _mod11(digits[:8], range(9, 1, -1))


def pt_niss(text: str) -> bool:
    """Número de Identificação da Segurança Social: eleven digits, the first 1 or 2."""
    digits = _digits(text)
    return len(digits) == 11 and digits[0] in (1, 2) and digits[10] == 9 - _weighed(digits[:10], _PRIMES) % 10


def pt_cc(text: str) -> bool:
    """Cartão de Cidadão: eight digits, one of control, two letters and a digit over all of them."""
    signs = [char for char in text.upper() if char.isalnum()]
    if len(signs) != 12 or not all(char.isascii() for char in signs):
        return False
    total = 0
    for at, char in enumerate(signs):
        value = int(char, 36) * (2 - at % 2)
        total += value - 9 if at % 2 == 0 and value > 9 else value
    return total % 10 == 0


def br_cpf(text: str) -> bool:
    """Cadastro de Pessoas Físicas: eleven digits, the last two checksums, not all the same."""
    digits = _digits(text)
    if len(digits) != 11 or len(set(digits)) == 1:
        return False
    return all(digits[size] == _mod11(digits[:size], range(size + 1, 1, -1)) for size in (9, 10))


def br_cnpj(text: str) -> bool:
    """Cadastro Nacional da Pessoa Jurídica: fourteen digits, the last two checksums."""
    digits = _digits(text)
    if len(digits) != 14 or len(set(digits)) == 1:
        return False
    return digits[12] == _mod11(digits[:12], _CNPJ[1:]) and digits[13] == _mod11(digits[:13], _CNPJ)


def br_cns(text: str) -> bool:
    """Cartão Nacional de Saúde: fifteen digits that weigh a multiple of eleven."""
    digits = _digits(text)
    return len(digits) == 15 and digits[0] in (1, 2, 7, 8, 9) and _weighed(digits, range(15, 0, -1)) % 11 == 0


def br_pis(text: str) -> bool:
    """PIS, PASEP or NIT: eleven digits, the last a checksum."""
    digits = _digits(text)
    return len(digits) == 11 and len(set(digits)) > 1 and digits[10] == _mod11(digits[:10], _PIS)


CHECKS: Mapping[str, Callable[[str], bool]] = {
    "pt-nif": pt_nif,
    "pt-niss": pt_niss,
    "pt-cc": pt_cc,
    "br-cpf": br_cpf,
    "br-cnpj": br_cnpj,
    "br-cns": br_cns,
    "br-pis": br_pis,
}
