# For those who give the course; a release leaves this file out.

.PHONY: reference
reference: all ## time baseline and reference of every task on this machine [LAB=labN]
	$(Q)build/hpclab reference $(LAB)

# Gradescope's autograder: /autograder/source is what the archive holds, setup.sh makes its image.
.PHONY: gradescope
gradescope: all ## an autograder for Gradescope, dist/gradescope-labN.zip, LAB=labN
	$(if $(LAB),,$(error which lab? for example: make gradescope LAB=lab3))
	$(Q)mk/gradescope '$(LAB)'

.PHONY: release
release: all ## write the students' archive of a lab into dist/, LAB=labN [ANSWERS=open: with what is right]
	$(if $(LAB),,$(error which lab? for example: make release LAB=lab3))
	$(Q)build/hpclab release $(LAB) $(if $(ANSWERS),--answers $(ANSWERS))
