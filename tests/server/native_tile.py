"""Decodes a tile of api/tiles/native.md, and compares it with the raw heights beside it."""
import ctypes
import struct
import sys


def unzstd(packed, length):
    zstd = ctypes.CDLL("libzstd.so.1")
    zstd.ZSTD_decompress.restype = ctypes.c_size_t
    room = ctypes.create_string_buffer(length)
    got = zstd.ZSTD_decompress(room, ctypes.c_size_t(length), packed, ctypes.c_size_t(len(packed)))
    assert got == length, "zstd"
    return room.raw


def decode(tile):
    magic, width, height, step, base, first = struct.unpack_from("<4sHHddd", tile)
    assert magic == b"LSN1"
    count = width * height
    raw = unzstd(tile[32:], 2 * count)
    codes = []
    for i in range(count):
        x, y = i % width, i // width
        w = codes[i - 1] if x else 0
        n = codes[i - width] if y else 0
        nw = codes[i - width - 1] if x and y else 0
        if x and y:
            guess = min(w, n) if nw >= max(w, n) else max(w, n) if nw <= min(w, n) else w + n - nw
        else:
            guess = w if x else n if y else 32768
        r = raw[i] | raw[count + i] << 8
        codes.append((guess + ((r >> 1) ^ -(r & 1))) & 65535)
    return width, height, step, base, first, codes


width, height, step, base, first, codes = decode(open(sys.argv[1], "rb").read())
raw = open(sys.argv[2], "rb").read()
columns, rows = int(sys.argv[3]), int(sys.argv[4])
assert (width, height, first) == (257, 257, 0.5), (width, height, first)
stored = struct.unpack("<%dH" % (columns * rows), raw)
for y in range(rows):
    assert codes[y * width:y * width + columns] == list(stored[y * columns:(y + 1) * columns]), y
assert base + 32768 * step == float(sys.argv[5]), (base, step)
assert codes[-1] == 32768
print("%d codes are the same" % (columns * rows))
