"""`python -m fastpt_lab`: the command line."""

import sys

from fastpt_lab.cli import main

sys.exit(main())
