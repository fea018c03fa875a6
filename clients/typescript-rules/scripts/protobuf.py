"""`python protobuf.py FILE` writes the pure-Python runtime of Protocol Buffers, as installed here, to an archive."""

import re
import sys
from importlib.metadata import files
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

PARTS = {
    "protobuf": r"google/protobuf/(?!.*(benchmark|testing)).*\.py",
    "googleapis-common-protos": r"google/(api/(annotations|http)|rpc/(code|error_details|status))_pb2\.py",
}
"""What is needed of each distribution: the modules that the messages of the contract import."""
LICENSE = r"|[^/]*\.dist-info/(METADATA|(licenses/)?LICENSE)"

with ZipFile(sys.argv[1], "w", ZIP_DEFLATED) as archive:
    for distribution, pattern in PARTS.items():
        for path in sorted(files(distribution) or ()):
            if re.fullmatch(pattern + LICENSE, path.as_posix()):
                archive.writestr(ZipInfo(path.as_posix()), path.read_binary(), ZIP_DEFLATED)
