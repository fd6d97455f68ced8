"""Random numbers for kernels: a pure function of a key and a counter, without any state.

Philox4x32 with ten rounds turns four counter words and two key words into four random words of 32
bits; equal arguments give equal bits in plain Python, compiled, and on any machine. So what is
drawn at a place can be drawn again anywhere, in any order, and needs no storage.

    hi, lo = high and low word of M c;   (c0, c1, c2, c3) <- (hi1 ^ c1 ^ k0, lo1, hi0 ^ c3 ^ k1, lo0)
    k0 <- k0 + W0,   k1 <- k1 + W1

Words are integers in [0, 2^32) kept in 64 bits: the product of two wraps in compiled code and does
not in Python, but its 64 lowest bits, all that is used, are the same.
Validity: counters are taken modulo 2^32; arguments fit a signed 64-bit integer. Normal deviates go
through log, sin and cos, whose last bit may differ between operating systems.
Source: [Salmon2011]; normal deviates: [Box1958].
"""

from __future__ import annotations

import hashlib
import math

from haptos.core.jit import device, routine

CITES: tuple[str, ...] = ("Salmon2011", "Box1958")
WORD = 0xFFFFFFFF  # mask of 32 bits
ROUNDS = 10
MULTIPLIERS = (0xD2511F53, 0xCD9E8D57)
STEPS = (0x9E3779B9, 0xBB67AE85)  # added to the key after each round
PER_WORD = 2.0**-32
PER_DOUBLE = 2.0**-53
TURN = 2.0 * math.pi
LARGEST_NORMAL = math.sqrt(2.0 * 33.0 * math.log(2.0))  # [-] no deviate is longer than 6.77


def random_key(seed: int, name: str = "") -> tuple[int, int]:
    """Key of one named quantity of a seed: two words from a hash of both."""
    digest = hashlib.sha256(f"haptos counter\0{int(seed)}\0{name}".encode()).digest()
    return int.from_bytes(digest[:4], "little"), int.from_bytes(digest[4:8], "little")


@routine
def random_words(key, counter):
    """Four random words in [0, 2^32) of a key (two integers) and a counter (four integers)."""
    k0, k1 = int(key[0]) & WORD, int(key[1]) & WORD
    c0, c1 = int(counter[0]) & WORD, int(counter[1]) & WORD
    c2, c3 = int(counter[2]) & WORD, int(counter[3]) & WORD
    for _ in range(ROUNDS):
        first, second = MULTIPLIERS[0] * c0, MULTIPLIERS[1] * c2
        c0, c2 = ((second >> 32) & WORD) ^ c1 ^ k0, ((first >> 32) & WORD) ^ c3 ^ k1
        c1, c3 = second & WORD, first & WORD
        k0, k1 = (k0 + STEPS[0]) & WORD, (k1 + STEPS[1]) & WORD
    return c0, c1, c2, c3


@device
def uniform(key, counter):
    """A number in [0, 1) with all 53 bits of a double."""
    high, low, _, _ = random_words(key, counter)
    return ((high >> 5) * 67108864 + (low >> 6)) * PER_DOUBLE


@device
def four_uniforms(key, counter):
    """Four numbers in [0, 1), multiples of 2^-32."""
    a, b, c, d = random_words(key, counter)
    return (a * PER_WORD, b * PER_WORD, c * PER_WORD, d * PER_WORD)


@device
def normal_pair(u, v):
    """Two independent deviates of N(0, 1) from u in (0, 1] and v in [0, 1)."""
    length = math.sqrt(-2.0 * math.log(u))
    return (length * math.cos(TURN * v), length * math.sin(TURN * v))


@device
def four_normals(key, counter):
    """Four independent deviates of N(0, 1), none longer than LARGEST_NORMAL."""
    a, b, c, d = random_words(key, counter)
    n0, n1 = normal_pair((a + 0.5) * PER_WORD, b * PER_WORD)
    n2, n3 = normal_pair((c + 0.5) * PER_WORD, d * PER_WORD)
    return (n0, n1, n2, n3)


@device
def random_rotation(u1, u2, u3):
    """quat [-], scalar first, uniform over all rotations, from three uniform numbers.

    Source: the subgroup algorithm, as in core/rotations.py.
    """
    a, b = math.sqrt(u1), math.sqrt(1.0 - u1)
    return (
        a * math.cos(TURN * u3),
        b * math.sin(TURN * u2),
        b * math.cos(TURN * u2),
        a * math.sin(TURN * u3),
    )
