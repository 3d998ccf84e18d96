import doctest

import attila


def test_examples_of_the_documentation_are_right() -> None:
    assert doctest.testmod(attila).failed == 0
    assert doctest.testmod(attila).attempted > 3


def test_everything_is_documented() -> None:
    for name in attila.__all__:
        public = getattr(attila, name)
        assert public.__doc__, name
        members = vars(public).items() if isinstance(public, type) else []
        for member, value in members:
            if callable(value) and not member.startswith("_"):
                assert value.__doc__, f"{name}.{member}"
