/// Only linked with: what is inside has no declaration that a program could use.
