#!/bin/sh
# Installs the programs that tests need and npm does not provide, given as Debian packages. With Debian and root it installs what is
# missing; elsewhere it names the missing packages.
set -eu

missing=
for package in "$@"; do
  case $package in
    chromium-headless-shell) program=${CHROME_PATH:-chromium-headless-shell} ;;
    firefox-esr) program=${FIREFOX_PATH:-firefox-esr} ;;
    webkit2gtk-driver) program=${WEBKIT_DRIVER_PATH:-WebKitWebDriver} ;;
    xvfb) program=Xvfb ;;
    at-spi2-core) program=/usr/libexec/at-spi-bus-launcher ;;
    dbus) program=dbus-daemon ;;
    orca|openbox|xdotool|speech-dispatcher|chromium) program=$package ;;
    redis-server) program=redis-server ;;
    systemd) program=systemd-analyze ;;
    nginx-light) program=nginx ;;
    apache2-bin) program=apache2 ;;
    libapache2-mod-security2) program=/usr/lib/apache2/modules/mod_security2.so ;;
    modsecurity-crs) program=/usr/share/modsecurity-crs/owasp-crs.load ;;
    *) echo "unknown package: $package" >&2; exit 2 ;;
  esac
  [ -e "$program" ] || PATH="$PATH:/usr/sbin" command -v "$program" >/dev/null || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  apt-get update -qq
  # shellcheck disable=SC2086 -- one argument a package
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null
else
  echo "The tests need these programs (names of Debian packages):$missing" >&2
  exit 1
fi
