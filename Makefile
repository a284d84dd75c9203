# Builds, installs and packages the release program. For development, use swift build and Scripts/check.
#
#   make                       build the program with static Swift libraries, its manual and completions
#   sudo make install          install into /usr/local; PREFIX and DESTDIR have their usual meaning
#   sudo make uninstall        remove the installed files
#   make deb                   build a Debian package in the folder DEB [.]
#   make dist                  build a tarball of the installed files in the folder DIST [.]

PREFIX ?= /usr/local
# A separate build folder: other builds link Swift's libraries dynamically.
SCRATCH ?= .build-static
# The program to install. Another one, such as .build/debug/reach, is used without a build.
BINARY ?= $(SCRATCH)/release/reach
# The folders of the files to install, of the Debian package and of the tarball.
OUT ?= .build-install
DEB ?= .
DIST ?= .
# The check before a package is built; empty for none.
VERIFY ?= verify
# Further options of swift build.
SWIFTFLAGS ?=

bindir ?= $(PREFIX)/bin
mandir ?= $(PREFIX)/share/man
docdir ?= $(PREFIX)/share/doc/reach
bashdir ?= $(PREFIX)/share/bash-completion/completions
zshdir ?= $(PREFIX)/share/zsh/site-functions
fishdir ?= $(PREFIX)/share/fish/vendor_completions.d
schemadir ?= $(PREFIX)/share/reach/schemas
unitdir ?= $(PREFIX)/lib/systemd/system

SWIFT ?= swift
INSTALL ?= install
examples := $(addprefix Packaging/,prometheus.yml reach-alerts.yml reach-recording-rules.yml grafana-dashboard.json)
made := $(addprefix $(OUT)/,reach reach.1 reach.bash _reach reach.fish)

# The commit for --version; empty outside git.
commit = $(shell Scripts/commit)
# Of C files, so that their paths are not those of this machine, and with checks of the stack. With _FORTIFY_SOURCE, Swift
# rejects the headers of the C library: their inline functions differ from module to module.
options := -Xcc "-ffile-prefix-map=$(CURDIR)=." -Xcc -fstack-protector-strong
# The program calls the accessors of generic types, such as dictionaries. By default it looks them up by name, once for each
# type, and each time the runtime searches all conformances of the program: a sixth of the time to the first screen.
options += -Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors
STRIP := strip
ifeq ($(shell uname -s),Linux)
# Relocations are bound at the start, and read-only from then on.
options += -Xlinker -z -Xlinker relro -Xlinker -z -Xlinker now
# The modules for debuggers, which have paths too.
STRIP += --remove-section=.swift_ast
endif

.PHONY: all install uninstall verify deb dist always
.DELETE_ON_ERROR:

all: $(made)

# Changes only when the commit does.
$(SCRATCH)/commit: always
	@mkdir -p $(SCRATCH)
	@test "$$(cat $@ 2>&1)" = "$(commit)" || echo "$(commit)" > $@

# The linker takes SQLite's archive from this folder, where the system has one; otherwise the shared library.
sqlite := $(firstword $(wildcard /usr/lib/*/libsqlite3.a /usr/lib64/libsqlite3.a /usr/lib/libsqlite3.a))
linked := $(abspath $(SCRATCH))/linked

$(SCRATCH)/release/reach: Package.swift $(SCRATCH)/commit $(shell find Sources -type f)
	mkdir -p $(linked)
	[ -z "$(sqlite)" ] || ln -sf $(sqlite) $(linked)/libsqlite3.a
	REACH_COMMIT="$$(cat $(SCRATCH)/commit)" $(SWIFT) build -c release --product reach --static-swift-stdlib \
	    --disable-local-rpath --scratch-path $(SCRATCH) $(options) -Xlinker -L$(linked) $(SWIFTFLAGS)
	touch $@

$(OUT)/reach: $(BINARY)
	mkdir -p $(OUT)
	cp $(BINARY) $@.new
	$(STRIP) $@.new
	mv $@.new $@
$(OUT)/reach.1: $(OUT)/reach
	$(OUT)/reach manual > $@
$(OUT)/reach.bash: $(OUT)/reach Packaging/completion.bash
	# bash sources the file, so sed removes the #! line.
	$(OUT)/reach --generate-completion-script bash > $@.new
	sed '1{/^#!/d}' $@.new | cat - Packaging/completion.bash > $@
	rm $@.new
$(OUT)/_reach: $(OUT)/reach Packaging/completion.zsh
	# In a candidate, zsh reads the text after a colon as its description, so sed escapes the colons of names.
	$(OUT)/reach --generate-completion-script zsh > $@.new
	sed -e '/^    completions=(/s/$$/; completions=("$${completions[@]\/\/:\/\\\\:}")/' \
	    -e '/^    unsetopt aliases/r Packaging/completion.zsh' $@.new > $@
	rm $@.new
$(OUT)/reach.fish: $(OUT)/reach Packaging/completion.fish
	$(OUT)/reach --generate-completion-script fish > $@.new
	sed '/^    set -l unparsed_tokens /r Packaging/completion.fish' $@.new > $@
	rm $@.new

install: all
	$(INSTALL) -d $(addprefix $(DESTDIR),$(bindir) $(mandir)/man1 $(docdir)/examples $(schemadir) $(bashdir) $(zshdir) $(fishdir) $(unitdir))
	$(INSTALL) -m 755 $(OUT)/reach $(DESTDIR)$(bindir)/reach
	$(INSTALL) -m 644 $(OUT)/reach.1 $(DESTDIR)$(mandir)/man1/reach.1
	$(INSTALL) -m 644 $(OUT)/reach.bash $(DESTDIR)$(bashdir)/reach
	$(INSTALL) -m 644 $(OUT)/_reach $(DESTDIR)$(zshdir)/_reach
	$(INSTALL) -m 644 $(OUT)/reach.fish $(DESTDIR)$(fishdir)/reach.fish
	$(INSTALL) -m 644 dashboard.toml $(examples) $(DESTDIR)$(docdir)/examples
	$(INSTALL) -m 644 Schemas/*.json $(DESTDIR)$(schemadir)
	$(INSTALL) -m 644 LICENSE THIRD-PARTY-NOTICES $(DESTDIR)$(docdir)
	sed 's|/usr/bin/reach|$(bindir)/reach|' Packaging/reach.service > $(OUT)/reach.service
	$(INSTALL) -m 644 $(OUT)/reach.service $(DESTDIR)$(unitdir)/reach.service

uninstall:
	rm -f $(addprefix $(DESTDIR),$(bindir)/reach $(mandir)/man1/reach.1 $(bashdir)/reach $(zshdir)/_reach \
	    $(fishdir)/reach.fish $(unitdir)/reach.service)
	rm -f $(addprefix $(DESTDIR)$(docdir)/,LICENSE THIRD-PARTY-NOTICES)
	rm -f $(addprefix $(DESTDIR)$(docdir)/examples/,dashboard.toml $(notdir $(examples)))
	rm -f $(addprefix $(DESTDIR)$(schemadir)/,$(notdir $(wildcard Schemas/*.json)))
	-rmdir $(DESTDIR)$(docdir)/examples $(DESTDIR)$(docdir) $(DESTDIR)$(schemadir) $(DESTDIR)$(PREFIX)/share/reach

# The packaged program is the one that is tested.
verify: all
	Scripts/hardening $(OUT)/reach
	Scripts/smoke $(OUT)/reach

deb: all $(VERIFY)
	SHLIBDEPS='$(SHLIBDEPS)' PACK='$(PACK)' Scripts/deb $(OUT) $(DEB)

dist: all $(VERIFY)
	COMPRESS='$(COMPRESS)' Scripts/dist $(OUT) $(DIST)
