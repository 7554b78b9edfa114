# `make handouts`: handouts/*.md and docs/*.md as a site and a PDF each, in dist/handouts/. READER=student
# leaves out what is for who gives the course, and writes to dist/handouts-student/.

READER ?=
SITE := dist/handouts$(READER:%=-%)
SITE_RECORDS := build/site/$(or $(READER),all)
# In the order in which they are read. A release has some of them.
SITE_STUDENTS := $(wildcard handouts/basics.md $(sort $(wildcard handouts/lab?.md)) \
    $(sort $(wildcard handouts/lab??.md)) docs/commands.md docs/device.md \
    docs/device-cuda.md)
SITE_AFTERWARDS := $(if $(READER),,$(sort $(wildcard handouts/measured_*.md)))
SITE_INSTRUCTORS := $(if $(READER),,$(wildcard docs/instructor.md docs/adding-a-lab.md docs/lab.md \
    docs/timing.md docs/convolution.md docs/security.md docs/architecture.md))
SITE_PAGES := $(SITE_STUDENTS) $(SITE_AFTERWARDS) $(SITE_INSTRUCTORS)
SITE_HTML := $(patsubst %.md,$(SITE)/%.html,$(notdir $(SITE_PAGES)))
SITE_MADE_BY := $(wildcard mk/site/* handouts/*.svg) mk/handouts.mk common/version.h
PDF_ENGINE := $(firstword $(foreach p,weasyprint wkhtmltopdf chromium,$(if $(call has_program,$(p)),$(p))))
SITE_PDF := $(if $(PDF_ENGINE),$(SITE_HTML:.html=.pdf))
HPC_VERSION := $(shell sed -n 's/^\#define HPC_VERSION "\(.*\)"/\1/p' common/version.h)
# A table with a source line longer than --columns would get columns as wide as its dashes.
PAGE := pandoc --from markdown-raw_tex-smart --to html5 --standalone --shift-heading-level-by=-1 --columns=1000 \
    --wrap=preserve --template mk/site/page.html -V version=$(HPC_VERSION) $(if $(PDF_ENGINE),-V pdf=1)
# What each engine needs to say title, version and page numbers; the style says it to two of them.
PDF_weasyprint = weasyprint --quiet $< $@
PDF_wkhtmltopdf = QT_QPA_PLATFORM=offscreen wkhtmltopdf --quiet --print-media-type --disable-javascript --page-size A4 \
    --margin-top 22mm --header-font-size 8 --header-left '[title]' --header-right 'hpclab $(HPC_VERSION)' \
    --footer-font-size 8 --footer-center '[page] of [topage]' $< $@ 2>&1 | { grep -v '^QStandardPaths' || true; }
PDF_chromium = chromium --headless --no-sandbox --disable-gpu --no-pdf-header-footer --print-to-pdf=$@ \
    'file://$(abspath $<)' >build/site/chromium.log 2>&1

.PHONY: handouts
handouts: $(SITE)/index.html $(SITE_PDF) ## the handouts as a site and in PDF, in dist/handouts/ [READER=student]
	@$(if $(PDF_ENGINE),,echo '  no PDF: none of weasyprint, wkhtmltopdf, chromium is here; ./bootstrap brings one')

# Another list of pages makes every page anew: each names the one before and the one after.
ifneq ($(filter handouts $(SITE)/%,$(MAKECMDGOALS)),)
$(shell mkdir -p $(SITE_RECORDS))
ifneq ($(file <$(SITE_RECORDS)/pages),$(SITE_PAGES) $(PDF_ENGINE))
$(shell rm -f $(SITE_RECORDS)/pages)
$(file >$(SITE_RECORDS)/pages,$(SITE_PAGES) $(PDF_ENGINE))
endif
endif
$(SITE_RECORDS)/pages: ;

$(SITE_RECORDS)/% $(SITE)/%: export SITE_PAGES := $(SITE_PAGES)
$(SITE_RECORDS)/% $(SITE)/%: export SITE_STUDENTS := $(SITE_STUDENTS)
$(SITE_RECORDS)/% $(SITE)/%: export SITE_AFTERWARDS := $(SITE_AFTERWARDS)
$(SITE_RECORDS)/% $(SITE)/%: export SITE_INSTRUCTORS := $(SITE_INSTRUCTORS)

define PAGE_RULE
$(SITE)/$(basename $(notdir $(1))).html: $(1) $(SITE_MADE_BY) $(SITE_RECORDS)/pages
	@command -v pandoc >/dev/null || { echo 'missing: pandoc; type ./bootstrap' >&2; exit 1; }
	$$(call say,HTML,$$@)
	@mkdir -p $(SITE) $(SITE_RECORDS)
	$$(Q)SITE_PAGE=$(1) SITE_RECORD=$(SITE_RECORDS)/$(basename $(notdir $(1))).lua \
	    $$(PAGE) --lua-filter mk/site/page.lua --toc --toc-depth=3 -o $$@ $(1)
endef
$(foreach p,$(SITE_PAGES),$(eval $(call PAGE_RULE,$(p))))

$(SITE)/%.pdf: $(SITE)/%.html
	$(call say,PDF,$@)
	$(Q)$(PDF_$(PDF_ENGINE))

$(SITE)/index.html: $(SITE_HTML)
	$(call say,HTML,$@)
	$(Q)cp mk/site/site.js $(SITE)/site.js
	$(Q)SITE_RECORDS=$(SITE_RECORDS) SITE_SEARCH=$(SITE)/search.js $(PAGE) -V pdf= -V page=index \
	    --lua-filter mk/site/index.lua -o $@ mk/site/index.md
