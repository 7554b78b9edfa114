# `make handouts`: handouts/*.md into HTML (self-contained) and PDF in dist/handouts/.

HANDOUTS := $(sort $(wildcard handouts/*.md))
HANDOUT_HTML := $(HANDOUTS:handouts/%.md=dist/handouts/%.html)
PDF_ENGINE := $(firstword $(foreach p,weasyprint wkhtmltopdf xelatex,$(if $(call has_program,$(p)),$(p))))
HANDOUT_PDF := $(if $(PDF_ENGINE),$(HANDOUT_HTML:.html=.pdf))
HANDOUT_EXTRAS := mk/handout.css $(wildcard handouts/*.svg handouts/*.png)
PANDOC := pandoc --from markdown-raw_tex --standalone --shift-heading-level-by=-1 \
    --resource-path=handouts --highlight-style=tango
# A table with a source line longer than --columns would get columns as wide as its dashes.
HTML := $(PANDOC) --to html5 --self-contained --css mk/handout.css --columns=1000 --wrap=preserve

.PHONY: handouts
handouts: dist/handouts/index.html $(HANDOUT_PDF) ## handouts/*.md into HTML and PDF in dist/handouts/
	@$(if $(PDF_ENGINE),,echo '  no PDF: none of weasyprint, wkhtmltopdf, xelatex is here; ./bootstrap brings one')

dist/handouts/%.html: handouts/%.md $(HANDOUT_EXTRAS)
	@command -v pandoc >/dev/null || { echo 'missing: pandoc; type ./bootstrap' >&2; exit 1; }
	$(call say,HTML,$@)
	@mkdir -p $(@D)
	$(Q)$(HTML) -o $@ $<

ifeq ($(PDF_ENGINE),xelatex)
dist/handouts/%.pdf: handouts/%.md $(HANDOUT_EXTRAS)
	$(call say,PDF,$@)
	@mkdir -p $(@D)
	$(Q)$(PANDOC) --pdf-engine=xelatex -o $@ $<
else
dist/handouts/%.pdf: dist/handouts/%.html
	$(call say,PDF,$@)
	$(Q)$(PDF_ENGINE) --quiet $< $@
endif

dist/handouts/index.html: $(HANDOUT_HTML)
	$(call say,HTML,$@)
	@mkdir -p $(@D)
	$(Q){ echo '# Handouts of hpclab'; echo; \
	    for f in $(HANDOUTS); do n=$$(basename $$f .md); t=$$(sed -n 's/^# //p' $$f | head -n 1); \
	        echo "- [$${t:-$$n}]($$n.html)$(if $(PDF_ENGINE), ([PDF]($$n.pdf)))"; done; } | \
	    $(HTML) -o $@
