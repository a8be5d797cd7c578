#!/bin/sh
# Build the Debian package: make deb. It lies in dist/ afterwards. The only network it uses is the package index that pip
# uses, for the libraries in pure Python that go into the package.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
top=$(dirname "$here")
python=${PYTHON:-python3}
out=${OUT:-$top/dist}
suffix=${VERSION_SUFFIX:-}

fail() { echo "deb: $*" >&2; exit 1; }

for tool in dpkg-buildpackage dh help2man; do
    command -v "$tool" >/dev/null || fail "$tool is missing: apt install debhelper dpkg-dev help2man"
done
"$python" -m pip --version >/dev/null 2>&1 || fail "$python has no pip: apt install python3-pip"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tree=$work/tamsk-pi
mkdir -p "$tree/wheels" "$out"
cp -r "$here" "$tree/systemd"
cp -r "$here/debian" "$tree/debian"
cp "$here/tamsk-pi.service" "$tree/debian/tamsk-pi.service"
cp "$here/tamsk-pi-kiosk.service" "$tree/debian/tamsk-pi.tamsk-pi-kiosk.service"
sed -i 's#/opt/tamsk-pi/bin/tamsk-pi#/usr/bin/tamsk-pi#' "$tree"/debian/*.service
cp "$here/sysusers.conf" "$tree/debian/tamsk-pi.sysusers"
cp "$here/70-tamsk-pi.rules" "$tree/debian/tamsk-pi.udev"

"$python" -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir "$work/own" "$top"
own=$(ls "$work"/own/*.whl)
# Only wheels without compiled parts: one package serves every machine.
"$python" -m pip download --quiet --disable-pip-version-check --dest "$tree/wheels" --only-binary :all: \
    --platform any --implementation py --abi none --python-version 3.11 "$own"

version=$(basename "$own" | cut -d- -f2)$suffix
date=$(git -C "$top" log -1 --format=%cD 2>/dev/null || date -R)
cat >"$tree/debian/changelog" <<CHANGELOG
tamsk-pi ($version) unstable; urgency=medium

  * See CHANGELOG.md of the project.

 -- tamsk-pi authors <tamsk-pi@example.org>  $date
CHANGELOG
(cd "$tree" && SOURCE_DATE_EPOCH=$(date -d "$date" +%s) dpkg-buildpackage --build=binary --unsigned-changes --no-check-builddeps >"$work/log" 2>&1) || {
    tail -n 20 "$work/log" >&2
    fail "dpkg-buildpackage failed"
}
mv "$work"/tamsk-pi_*_all.deb "$work"/tamsk-pi_*.changes "$work"/tamsk-pi_*.buildinfo "$out/"
echo "deb: $out/tamsk-pi_${version}_all.deb"
