# Perfica's terminal dock: the person's own bash, with one thing mended. In vi mode a paste
# that arrives while the keymap is vi-command would be read as editing commands.
[ -f ~/.bashrc ] && . ~/.bashrc
bind -m vi-command '"\e[200~": bracketed-paste-begin' 2>/dev/null
