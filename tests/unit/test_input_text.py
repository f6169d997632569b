from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hoyle.errors import SourceError
from hoyle.inputs.text import decode

RUSSIAN = (
    "Если кто сделает ходъ не въ очередь, то противники имеютъ право потребовать новой сдачи картъ. " * 2
)
FRENCH = (
    "Le joueur qui a été le premier à parler, où qu'il soit placé, ne peut plus être privé de son droit; "
    "la règle défend d'élever la mise après la levée. "
)


@given(st.text(min_size=1).filter(str.strip), st.sampled_from(["utf-8", "utf-16-le", "utf-16-be"]))
def test_the_text_encodes_back_to_the_bytes_of_the_file(text, encoding):
    data = text.encode(encoding)
    try:
        read = decode(data, name="f", encoding=encoding)
    except SourceError:
        return  # too many controls, or white space only: refused, not changed
    assert read.text.encode(read.encoding) == data


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        *((RUSSIAN, name) for name in ("cp1251", "koi8-r", "mac-cyrillic", "cp866", "iso8859-5")),
        *((FRENCH, name) for name in ("cp1252", "mac-roman", "cp850")),
    ],
)
def test_one_byte_encodings_are_told_apart_by_their_letters(text, encoding):
    read = decode(text.encode(encoding), name="f")
    assert read.text == text
    assert [message for message, _ in read.doubts] == [
        f"read as {read.encoding}, which its letters speak for; declare the encoding if that is wrong"
    ]


@pytest.mark.parametrize(
    ("declared", "true"), [("cp1251", "utf-8"), ("cp1251", "koi8-r"), ("latin-1", "utf-8")]
)
def test_a_declared_encoding_that_the_letters_speak_against_is_told(declared, true):
    data = RUSSIAN.encode(true)
    message, _ = decode(data, name="f", encoding=declared).doubts[0]
    assert message.endswith(f"but its letters speak for {true}")
    assert decode(data, name="f", encoding=true).doubts == ()


@pytest.mark.parametrize(("bom", "encoding"), [("utf-16", "utf-16-le"), ("utf-8-sig", "utf-8")])
def test_a_byte_order_mark_is_certain_and_kept(bom, encoding):
    data = RUSSIAN.encode(bom)
    read = decode(data, name="f")
    assert read.encoding == encoding
    assert read.text == "\ufeff" + RUSSIAN
    assert read.text.encode(read.encoding) == data


@pytest.mark.parametrize(
    ("data", "encoding", "message"),
    [
        (b"", "", "f: the file is empty"),
        (b" \n\t", "", "f: the file is empty"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "", r"f: a binary file, .*byte 8 is zero"),
        (b"\x01\x02\x03\x04abc", "", "f at character 0: a binary file"),
        (
            "été, élève".encode("latin-1"),
            "",
            r"f: is not UTF-8 at byte 0 \(0xe9\), and no other encoding is certain; tried: .*cp1251, koi8-r",
        ),
        ("été".encode("latin-1"), "utf-8", r"f: is not utf-8 as declared: byte 0 \(0xe9\)"),
        (b"abc", "klingon", "unknown encoding 'klingon'"),
        (b"abc", "rot13", "unknown encoding 'rot13'"),
        (b"abc", "undefined", "unknown encoding 'undefined'"),
        (b"abc", "cp\0", "unknown encoding"),
        (FRENCH.encode()[:90] + b"\xff" + FRENCH.encode()[90:], "", r"f: is not UTF-8 at byte 90 \(0xff\)"),
        ("Zażółć gęślą jaźń, proszę państwa. ".encode("cp1250") * 9, "", "no other encoding is certain"),
        (b"\xff\xfea\x00b", "", "f: is not utf-16-le as its byte-order mark says: byte 4"),
        (b"\xef\xbb\xbf", "", "f: the file holds nothing that can be read"),
        ("\u200b\u00ad\n".encode(), "", "f: the file holds nothing that can be read"),
        (b"abcdefghijk", "", None),
    ],
)
def test_what_cannot_be_read_is_refused_with_a_reason(data, encoding, message):
    if message is None:
        message, limit = "11 bytes, over the limit of 10", 10
    else:
        limit = 1000
    with pytest.raises(SourceError, match=message):
        decode(data, name="f", encoding=encoding, max_bytes=limit)


def test_a_few_control_characters_are_kept_and_told():
    read = decode(b"a page" * 20 + b"\x0b" + b"\x00" + b"end", name="f")
    assert read.text.endswith("\x0b\x00end")
    assert read.doubts == (("1 control characters are kept, the first U+0000", 121),)


@pytest.mark.parametrize(
    ("sign", "name"), [("\r", "carriage returns"), ("\x85", "NEL"), ("\u2028", "line sep")]
)
def test_line_ends_of_other_systems_are_told(sign, name):
    [(remark, at)] = decode(f"one{sign}two{sign}three".encode(), name="f").doubts
    assert name in remark
    assert at == 3


def test_crlf_is_no_cause_for_doubt():
    assert decode(b"one\r\ntwo\r\n", name="f").doubts == ()
