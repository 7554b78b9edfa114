# For those who give the course; a release leaves this file out.

.PHONY: reference
reference: all ## time baseline and reference of every task on this machine [LAB=labN]
	$(Q)build/hpclab reference $(LAB)

# What other systems run, by mk/autograder, whose head says what each of them gets.
.PHONY: gradescope autolab classroom
gradescope: all ## an autograder for Gradescope, dist/gradescope-labN.zip, LAB=labN
autolab: all ## one for Autolab, dist/autolab-labN/: autograde-Makefile and autograde.tar, LAB=labN
classroom: all ## a workflow for GitHub Classroom, dist/classroom-labN.yml, LAB=labN
gradescope autolab classroom:
	$(if $(LAB),,$(error which lab? for example: make $@ LAB=lab3))
	$(Q)mk/autograder $@ '$(LAB)'

.PHONY: release
release: all ## write the students' archive of a lab into dist/, LAB=labN [ANSWERS=open: with what is right]
	$(if $(LAB),,$(error which lab? for example: make release LAB=lab3))
	$(Q)build/hpclab release $(LAB) $(if $(ANSWERS),--answers $(ANSWERS))

# A release that students have, brought to this version: raise HPC_VERSION (common/version.h) before.
.PHONY: hotfix
hotfix: all ## a script that updates students' copies of a lab and leaves their files alone, LAB=labN
	$(if $(LAB),,$(error which lab? for example: make hotfix LAB=lab3))
	$(Q)mk/hotfix '$(LAB)' $(if $(ANSWERS),--answers $(ANSWERS))
