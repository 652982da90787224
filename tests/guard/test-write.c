/* The writer: canonical text, checked word by word.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <glib.h>
#include <string.h>

#include "guard-tree.h"

static const struct
{
  const char *text;
  const char *canonical; /* NULL: can be read but not written out */
} cases[] = {
  { "\"git\">/dev/null push --force", "'git' 'push' '--force' > '/dev/null'" },
  { "git re\\\n"
    "set --hard",
    "'git' 'reset' '--hard'" },
  { "echo \"$\\\n"
    "(cmd)\"",
    "'echo' \"$('cmd')\"" },
  { "echo $\\\n"
    "{x\\\n"
    ":-y}",
    "'echo' ${x:-y}" },
  { "[[ -v 'a[$(cmd)]' ]]", "[[ -v 'a[$(cmd)]' ]]" },
  { "echo $((x)) ${y:x} ${x@P} ${!x} ${!x*} ${!x@} ${!x[@]} ${#x} ${#x[@]} ${#} ${##} ${#-} ${#?} "
    "${#:-x}",
    "'echo' $((x)) ${y:x} ${x@P} ${!x} ${!x*} ${!x@} ${!x[@]} ${#x} ${#x[@]} ${#} ${##} ${#-} "
    "${#?} ${#:-x}" },
  { "# a comment \\\n"
    "ls",
    "'ls'" },
  { "ls # a comment \\\n"
    "pwd",
    "'ls'; 'pwd'" },
  { "a >| b &> c <> d {fd}> e {fd}>&- 2>&1 &>> f <<< g >&h 3<&0 4>&5- <&-",
    "'a' >| 'b' &> 'c' <> 'd' {fd}> 'e' {fd}>&- 2>&1 &>> 'f' <<< 'g' &> 'h' 3<&0 4>&5- <&-" },
  { "cat <<A <<-'B' && echo x\n"
    "a $x \\$y `b` $(c)\n"
    "A\n"
    "\ttabs ' \" $z\n"
    "\tB\n"
    "echo after",
    "'cat' <<EOF <<'EOF' &&\n"
    "a ${x} \\$y $('b') $('c')\n"
    "EOF\n"
    "tabs ' \" $z\n"
    "EOF\n"
    "'echo' 'x'; 'echo' 'after'" },
  { "x=$(cat <<E\n"
    "inner ) paren\n"
    "E\n"
    ") y",
    "x=$('cat' <<EOF\n"
    "inner ) paren\n"
    "EOF\n"
    ") 'y'" },
  { "git commit -m \"$(cat <<'EOF'\n"
    "subject (paren) `tick` $dollar\n"
    "\n"
    "body \"quoted\"\n"
    "EOF\n"
    ")\" && git push",
    "'git' 'commit' '-m' \"$('cat' <<'EOF'\n"
    "subject (paren) `tick` $dollar\n"
    "\n"
    "body \"quoted\"\n"
    "EOF\n"
    ")\" && 'git' 'push'" },
  { "echo `a \\`b \\\\\\`c\\\\\\`\\`` \"`echo \\\"x\\\"`\"",
    "'echo' $('a' $('b' $('c'))) \"$('echo' 'x')\"" },
  { "((a+b)) && ((  (1+2)*3 )); (( x = y[1] ))", "((a+b)) && ((  (1+2)*3 )); (( x = y[1] ))" },
  { "((a); (b))", "( ( 'a' ); ( 'b' ) )" },
  { "( (a) )", "( ( 'a' ) )" },
  { "echo $((1+2)) $(( (1+2)*3 )) $((a);(b)) $( (a) ) $[1+2] \"$((x<y?1:2))\"",
    "'echo' $((1+2)) $(( (1+2)*3 )) $( ( 'a' ); ( 'b' )) $( ( 'a' )) $((1+2)) \"$((x<y?1:2))\"" },
  { "for x; do a; done; for x in; do a; done; for x in a b \"c d\" $e *.f {1..3}; do a; done",
    "for x; do 'a'; done; for x in; do 'a'; done; for x in 'a' 'b' 'c d' ${e} *'.f' {1..3}; do "
    "'a'; done" },
  { "for ((i=0; i<10; i++)); do a; done; for ((;;)); do b; done; for ((i=0;i<3;i++)) { c; }",
    "for ((i=0; i<10; i++)); do 'a'; done; for ((;;)); do 'b'; done; for ((i=0;i<3;i++)); do 'c'; "
    "done" },
  { "for x in a b\n"
    "do\n"
    "  echo $x\n"
    "done > out",
    "for x in 'a' 'b'; do 'echo' ${x}; done > 'out'" },
  { "for x\n"
    "in a b; do c; done",
    "for x in 'a' 'b'; do 'c'; done" },
  { "for i in 1 2; { echo $i; }", "for i in '1' '2'; do 'echo' ${i}; done" },
  { "select x in a b; do break; done", "select x in 'a' 'b'; do 'break'; done" },
  { "while read -r l; do a \"$l\"; done < <(find . -type f)",
    "while 'read' '-r' 'l'; do 'a' \"${l}\"; done < <('find' '.' '-type' 'f')" },
  { "until a; do b & done", "until 'a'; do 'b' & done" },
  { "if a; then b; elif c && d; then e; else f; fi",
    "if 'a'; then 'b'; elif 'c' && 'd'; then 'e'; else 'f'; fi" },
  { "if a\n"
    "then b\n"
    "elif c\n"
    "then d\n"
    "else e\n"
    "fi",
    "if 'a'; then 'b'; elif 'c'; then 'd'; else 'e'; fi" },
  { "if if a; then b; fi; then c; fi", "if if 'a'; then 'b'; fi; then 'c'; fi" },
  { "case $x in a) b;; c|d) e;& (f) g;;& *) h; esac",
    "case ${x} in ('a') 'b' ;; ('c' | 'd') 'e' ;& ('f') 'g' ;;& (*) 'h' ;; esac" },
  { "case x in\n"
    "  (a) ;;\n"
    "  b)\n"
    "    c\n"
    "    ;;\n"
    "  *) d\n"
    "esac",
    "case 'x' in ('a')  ;; ('b') 'c' ;; (*) 'd' ;; esac" },
  { "case in in in) a;; esac", "case 'in' in ('in') 'a' ;; esac" },
  { "case x in esac", "case 'x' in esac" },
  { "case a in (esac) b;; esac", "case 'a' in ('esac') 'b' ;; esac" },
  { "f() { a; }; g() ( b ); function h { c; }; function i () { d; } > log",
    "function f () { 'a'; }; function g () ( 'b' ); function h () { 'c'; }; function i () { 'd'; } "
    "> 'log'" },
  { "f ()\n"
    "{\n"
    "  a\n"
    "}",
    "function f () { 'a'; }" },
  { "function f\n"
    "( a )",
    "function f () ( 'a' )" },
  { "f() if a; then b; fi", "function f () if 'a'; then 'b'; fi" },
  { "f() [[ a ]]", "function f () [[ 'a' ]]" },
  { "[[ -f a && ! -d b || ( $c == d* && e != \"f g\" ) ]]",
    "[[ -f 'a' && ! -d 'b' || ( ${c} == 'd'* && 'e' != 'f g' ) ]]" },
  { "[[ $a =~ ^([a-z]+|\"x y\")(\\.[0-9]{2,3})?$ ]] && echo \"${BASH_REMATCH[1]}\"",
    "[[ ${a} =~ ^([a-z]+|'x y')('.'[0-9]{2,3})?$ ]] && 'echo' \"${BASH_REMATCH[1]}\"" },
  { "[[ a < b && c > d && 1 -lt 2 && a -nt b ]]",
    "[[ 'a' < 'b' && 'c' > 'd' && '1' -lt '2' && 'a' -nt 'b' ]]" },
  { "[[ a =~ (b c|d) ]]", "[[ 'a' =~ (b c|d) ]]" },
  { "[[ $x == @(a|b*|!(c)) ]]", "[[ ${x} == @('a'|'b'*|!('c')) ]]" },
  { "[[ ! ! a ]]", "[[ ! ! 'a' ]]" },
  { "[[ ( a ) ]]", "[[ ( 'a' ) ]]" },
  { "! a | b |& c; time d | e; time -p f; ! time g; time ! h",
    "! 'a' | 'b' |& 'c'; time 'd' | 'e'; time -p 'f'; time ! 'g'; time ! 'h'" },
  { "time", NULL },
  { "time; a", NULL },
  { "coproc a b; coproc N { c; }; coproc { d; }",
    "coproc 'a' 'b'; coproc N { 'c'; }; coproc { 'd'; }" },
  { "{ a; b; } > x 2>&1 < y; (c; d) >> z", "{ 'a'; 'b'; } > 'x' 2>&1 < 'y'; ( 'c'; 'd' ) >> 'z'" },
  { "a & b & c; d &", "'a' & 'b' & 'c'; 'd' &" },
  { "a && b || c; d | e &", "'a' && 'b' || 'c'; 'd' | 'e' &" },
  { "x=1 y=2 cmd; x=; y+=z; a[0]=1; a[x+1]+=2; b=(1 2 \"3 4\" [5]=6 [7]+=8 $c *.d); c=() d",
    "x='1' y='2' 'cmd'; x=; y+='z'; a[0]='1'; a[x+1]+='2'; b=('1' '2' '3 4' [5]='6' [7]+='8' ${c} "
    "*'.d'); c=() 'd'" },
  { "a=(\n"
    "  1 # comment\n"
    "  2\n"
    ")",
    "a=('1' '2')" },
  { "a[1 2]=3", "a[1 2]='3'" },
  { "a[\"x y\"]=3 b['$z']=4 c[$(d)]=5", "a[\"x y\"]='3' b[\"\\$z\"]='4' c[$('d')]='5'" },
  { "foo[ x ] y", "'foo[ x ]' 'y'" },
  { ">x if a", "'if' 'a' > 'x'" },
  { "x=1 if a", "x='1' 'if' 'a'" },
  { "echo if then else fi do done while { } ! [[ ]] time case esac in function",
    "'echo' 'if' 'then' 'else' 'fi' 'do' 'done' 'while' '{' '}' '!' '[[' ']]' 'time' 'case' 'esac' "
    "'in' 'function'" },
  { "echo a#b #c", "'echo' 'a#b'" },
  { "echo \\# '#' \"#\" $#", "'echo' '#' '#' '#' ${#}" },
  { "echo a\\ b \"a\\b\\$\\`\\\"\\\\\" 'a\\' $'a\\n\\t\\x41\\u00e9\\'\\\\\\0' $\"loc\"",
    "'echo' 'a b' 'a\\b$`\"\\' 'a\\' 'a\n"
    "\tAé'\\''\\' 'loc'" },
  { "echo ~ ~/a ~user/b a~ \"~\" \\~ ~+ ~- x=~ x=~/a:~/b --p=~ ~$x",
    "'echo' ~ ~/'a' ~user/'b' 'a~' '~' '~' ~+ ~- x=~ x=~/'a':~/'b' '--p=~' '~'${x}" },
  { "echo {a,b} {a,b{c,d}} {1..9} {a..z..2} {} {a} a{b a,b} {a,} {,} ${x}{a,b} \"{a,b}\" \\{a,b} "
    "{$x,$y}{1..$n}",
    "'echo' {'a','b'} {'a','b'{'c','d'}} {1..9} {a..z..2} '{}' '{a}' 'a{b' 'a,b}' {'a',} {,} "
    "${x}{'a','b'} '{a,b}' '{a,b}' {${x},${y}}'{1..'${n}'}'" },
  { "find . -name {} -exec rm {} \\; -o -name '*.{a,b}' {} +",
    "'find' '.' '-name' '{}' '-exec' 'rm' '{}' ';' '-o' '-name' '*.{a,b}' '{}' '+'" },
  { "ls *.c a?b [a-z]* [!a-z] [^x] [[:alpha:]] [] a] [a \"[x]\" [$x] [\"a\"b]",
    "'ls' *'.c' 'a'?'b' [a-z]* [!a-z] [^x] [[:alpha:]] '[]' 'a]' '[a' '[x]' [${x}] ['a'b]" },
  { "[ -f x ] && [ \"$a\" = b ] || [ ! -d c ]",
    "'[' '-f' 'x' ']' && '[' \"${a}\" '=' 'b' ']' || '[' '!' '-d' 'c' ']'" },
  { "echo ${x} ${x:-y z} ${x:=\"a b\"} ${x:?'no $x'} ${x:+${y}} ${x-~} ${x#*/} ${x##\"a*\"} "
    "${x%.*} ${x%%\\}} ${x/a/b} ${x//\\//_} ${x/#a/b} ${x/%a/} ${x^} ${x^^} ${x,} ${x,,[a-z]} "
    "${x:1} ${x:1:2} ${x: -1} ${x:(-1):y} ${x@Q}",
    "'echo' ${x} ${x:-y z} ${x:='a b'} ${x:?'no $x'} ${x:+${y}} ${x-~} ${x#*/} ${x##'a*'} ${x%.*} "
    "${x%%'}'} ${x/a/b} ${x//'/'/_} ${x/#a/b} ${x/%a/} ${x^} ${x^^} ${x,} ${x,,[a-z]} ${x:1} "
    "${x:1:2} ${x: -1} ${x:(-1):y} ${x@Q}" },
  { "echo \"${x:-y z}\" \"${x:-\"a b\"}\" \"${x:-a\\}b}\" \"${x#'a b'}\" \"${x%\"$y\"}\" "
    "\"${x:-$(a \"b\")}\" \"${x/'a'/\"b\"}\" \"${x:-'a'}\"",
    "'echo' \"${x:-y z}\" \"${x:-a b}\" \"${x:-a\\}b}\" \"${x#'a b'}\" \"${x%\"${y}\"}\" "
    "\"${x:-$('a' 'b')}\" \"${x/'a'/'b'}\" \"${x:-\"'a'\"}\"" },
  { "echo ${x:-${y:-${z:-$(a ${b})}}} ${a[1]} ${a[@]} \"${a[*]}\" ${a[$i+1]} ${a[\"k\"]} ${!a[@]} "
    "${#a[*]} ${a[@]:1:2} ${a[@]/x/y} ${a[b[1]]}",
    "'echo' ${x:-${y:-${z:-$('a' ${b})}}} ${a[1]} ${a[@]} \"${a[*]}\" ${a[${i}+1]} ${a[k]} "
    "${!a[@]} ${#a[*]} ${a[@]:1:2} ${a[@]/x/y} ${a[b[1]]}" },
  { "diff <(a | b) <(c) > >(tee d) 2> >(e)",
    "'diff' <('a' | 'b') <('c') > >('tee' 'd') 2> >('e')" },
  { "a<(b)c", "'a'<('b')'c'" },
  { "echo $x$y \"$x\"$y'z' $1 $10 ${10} $@ \"$@\" $* $? $- $$ $! $_ $ a$ \"$\" \"a$\"",
    "'echo' ${x}${y} \"${x}\"${y}'z' ${1} ${1}'0' ${10} ${@} \"${@}\" ${*} ${?} ${-} ${$} ${!} "
    "${_} '$' 'a$' '$' 'a$'" },
  { "echo \"a\n"
    "b\" 'c\n"
    "d' e\\\n"
    "f",
    "'echo' 'a\n"
    "b' 'c\n"
    "d' 'ef'" },
  { "a |\n"
    "b &&\n"
    "c ||\n"
    "d",
    "'a' | 'b' && 'c' || 'd'" },
  { "a; # x\n"
    "# y\n"
    "\n"
    "b",
    "'a'; 'b'" },
  { "a;\n"
    "b",
    "'a'; 'b'" },
  { "(a\n"
    "b;\n"
    "c)",
    "( 'a'; 'b'; 'c' )" },
  { "$(a\n"
    "b; c)",
    "$('a'; 'b'; 'c')" },
  { "cat << \"E F\"\n"
    "x\n"
    "E F",
    "'cat' <<'EOF'\n"
    "x\n"
    "EOF\n" },
  { "cat <<\\E\n"
    "$x\n"
    "E",
    "'cat' <<'EOF'\n"
    "$x\n"
    "EOF\n" },
  { "cat <<E\n"
    "E",
    "'cat' <<EOF\n"
    "EOF\n" },
  { "cat <<-E\n"
    "\ta\n"
    "\t\tb\n"
    "\tE",
    "'cat' <<EOF\n"
    "a\n"
    "b\n"
    "EOF\n" },
  { "cat <<'E' | grep a > b\n"
    "x\n"
    "E",
    "'cat' <<'EOF' | 'grep' 'a' > 'b'\n"
    "x\n"
    "EOF\n" },
  { "if cat <<E; then a; fi\n"
    "x\n"
    "E",
    "if 'cat' <<EOF\n"
    "x\n"
    "EOF\n"
    "then 'a'; fi" },
  { "while cat <<E\n"
    "x\n"
    "E\n"
    "do a; done",
    "while 'cat' <<EOF\n"
    "x\n"
    "EOF\n"
    "do 'a'; done" },
  { "(cat <<E\n"
    "x\n"
    "E\n"
    ")",
    "( 'cat' <<EOF\n"
    "x\n"
    "EOF\n"
    ")" },
  { "{ cat <<E; }\n"
    "x\n"
    "E",
    "{ 'cat' <<EOF\n"
    "x\n"
    "EOF\n"
    "}" },
  { "cat <<E $(echo\n"
    "a) b\n"
    "body\n"
    "E",
    "'cat' $('echo'; 'a') 'b' <<EOF\n"
    "body\n"
    "EOF\n" },
  { "a <<E \"b\n"
    "c\"\n"
    "body\n"
    "E",
    "'a' 'b\n"
    "c' <<EOF\n"
    "body\n"
    "EOF\n" },
  { "cat <<E1; cat <<E2\n"
    "1\n"
    "E1\n"
    "2\n"
    "E2",
    "'cat' <<EOF\n"
    "1\n"
    "EOF\n"
    "'cat' <<EOF\n"
    "2\n"
    "EOF\n" },
  { "echo $(cat <<E\n"
    "x\n"
    "E\n"
    ") $(cat <<E\n"
    "y\n"
    "E\n"
    ")",
    "'echo' $('cat' <<EOF\n"
    "x\n"
    "EOF\n"
    ") $('cat' <<EOF\n"
    "y\n"
    "EOF\n"
    ")" },
  { "python3 - <<'PY'\n"
    "import os\n"
    "print(\"it's $x `y`\")\n"
    "PY",
    "'python3' '-' <<'EOF'\n"
    "import os\n"
    "print(\"it's $x `y`\")\n"
    "EOF\n" },
  { "a() { cat <<E\n"
    "x\n"
    "E\n"
    "}",
    "function a () { 'cat' <<EOF\n"
    "x\n"
    "EOF\n"
    "}" },
  { "echo \"a $(b \"c $(d \"e\")\")\" 'f'", "'echo' 'a '\"$('b' 'c '\"$('d' 'e')\")\" 'f'" },
  { "echo \"$(case x in a) b;; (c) d;; esac)\"",
    "'echo' \"$(case 'x' in ('a') 'b' ;; ('c') 'd' ;; esac)\"" },
  { "echo $(# comment with ' and )\n"
    "a)",
    "'echo' $('a')" },
  { "echo $(a # b )\n"
    ")",
    "'echo' $('a')" },
  { "echo \"`a 'b' # c`\"", "'echo' \"$('a' 'b')\"" },
  { "a 2>&1 | b 2>/dev/null >&2", "'a' 2>&1 | 'b' 2> '/dev/null' >&2" },
  { "2>a 3<b c 4>d", "'c' 2> 'a' 3< 'b' 4> 'd'" },
  { "echo 2 >a 2>b x2>c 22>d", "'echo' '2' 'x2' > 'a' 2> 'b' > 'c' 22> 'd'" },
  { "a <&3 3<&- >&$x 2>&-", "'a' <&3 3<&- >& ${x} 2>&-" },
  { "echo a>b<c", "'echo' 'a' > 'b' < 'c'" },
  { "a>b;c<d|e&f", "'a' > 'b'; 'c' < 'd' | 'e' & 'f'" },
  { "exec {fd}<>/dev/tcp/x/1; echo {a}>b; echo {1}>b",
    "'exec' {fd}<> '/dev/tcp/x/1'; 'echo' {a}> 'b'; 'echo' '{1}' > 'b'" },
  { "! a", "! 'a'" },
  { "! ! a", "'a'" },
  { "a | time b", "'a' | 'time' 'b'" },
  { "a & > b", "'a' & > 'b'" },
  { "a &>b", "'a' &> 'b'" },
  { "a&>b", "'a' &> 'b'" },
  { "a&&b||c&d", "'a' && 'b' || 'c' & 'd'" },
  { "a >& b", "'a' &> 'b'" },
  { "a 2>& b", "'a' 2>& 'b'" },
  { "a >&2b", "'a' &> '2b'" },
  { "a >&- b", "'a' 'b' >&-" },
  { "a >&-b", "'a' 'b' >&-" },
  { "a <<<b c", "'a' 'c' <<< 'b'" },
  { "a <<< \"b c\" d", "'a' 'd' <<< 'b c'" },
  { "function if { a; }", "function if () { 'a'; }" },
  { "x=(a) b", "x=('a') 'b'" },
  { "a=b\\\n"
    "c d",
    "a='bc' 'd'" },
  { "a\\\n"
    "=b c",
    "a='b' 'c'" },
  { "a+\\\n"
    "=b c",
    "a+='b' 'c'" },
  { "i\\\n"
    "f a; then b; fi",
    "if 'a'; then 'b'; fi" },
  { "a &\\\n"
    "& b",
    "'a' && 'b'" },
  { "a >\\\n"
    "> b",
    "'a' >> 'b'" },
  { "cat <\\\n"
    "<E\n"
    "x\n"
    "E",
    "'cat' <<EOF\n"
    "x\n"
    "EOF\n" },
  { "a 2\\\n"
    ">b",
    "'a' 2> 'b'" },
  { "a \\\n"
    "\n"
    "b",
    "'a'; 'b'" },
  { "a\\\n", "'a'" },
  { "echo $\\\n"
    "x ${\\\n"
    "x} $(\\\n"
    "a) $\\\n"
    "(\\\n"
    "(1+2)\\\n"
    ")",
    "'echo' ${x} ${x} $('a') $((1+2))" },
  { "echo \"a\\\n"
    "b\" 'c\\\n"
    "d'",
    "'echo' 'ab' 'c\\\n"
    "d'" },
  { "until a; do b; done; while a; do b; done | c",
    "until 'a'; do 'b'; done; while 'a'; do 'b'; done | 'c'" },
  { "if a; then b; fi | c && d", "if 'a'; then 'b'; fi | 'c' && 'd'" },
  { "a | while read x; do b; done", "'a' | while 'read' 'x'; do 'b'; done" },
  { "time -p", NULL },
  { "time -- a", "time -p 'a'" },
  { "time -p -- a", "time -p 'a'" },
  { "time -v a", "time '-v' 'a'" },
  { "coproc a", "coproc 'a'" },
  { "coproc a { b; }", "coproc a { 'b'; }" },
  { "coproc if a; then b; fi", "coproc if 'a'; then 'b'; fi" },
  { "select x; do a; done", "select x; do 'a'; done" },
  { "for x in a;do b;done", "for x in 'a'; do 'b'; done" },
  { "let x=1 'y = 2'; eval \"a b\"; alias x=y; printf -v z %s a",
    "'let' x='1' 'y = 2'; 'eval' 'a b'; 'alias' x='y'; 'printf' '-v' 'z' '%s' 'a'" },
  { "declare x=(1 2) y=z w", "declare x=('1' '2') y='z' 'w'" },
  { "a $'b\\'c' d", "'a' 'b'\\''c' 'd'" },
  { "a \"$'b'\" d", "'a' '$'\\''b'\\''' 'd'" },
  { "a ${x:-$'b}'} c", "'a' ${x:-'b}'} 'c'" },
  { "a \"${x:-`b`}\" c", "'a' \"${x:-$('b')}\" 'c'" },
  { "a ${x:-a'}'b} c", "'a' ${x:-a'}'b} 'c'" },
  { "a ${x:-\"}\"} c", "'a' ${x:-'}'} 'c'" },
  { "a ${x:-\\}} c", "'a' ${x:-'}'} 'c'" },
  { "a ${x:-{b}} c", "'a' ${x:-{b}'}' 'c'" },
  { "a $() `` \"$()\"", "'a' $() $() \"$()\"" },
  { "a <() b", "'a' <() 'b'" },
  { "echo $(( `a` + $(b) + ${c} + \"1\" ))", "'echo' $(( $('a') + $('b') + ${c} + 1 ))" },
  { "echo $(( a['x'] ))", "'echo' $(( a['x'] ))" },
  { "(( a ) )", "( ( 'a' ) )" },
  { "(((a)))", "(((a)))" },
  { "((((a))))", "((((a))))" },
  { "$(( (a) ))", "$(( (a) ))" },
  { "$(((a)))", "$(((a)))" },
  { "$(((a) b))", "$(((a) b))" },
  { "$(( a ) )", "$( ( 'a' ))" },
  { "a[$(b]c)]=d", "a[$('b]c')]='d'" },
  { "a[b]c=d", "'a'[b]'c=d'" },
  { "a[b] c", "'a'[b] 'c'" },
  { "[a]=b", "[a]'=b'" },
  { "1a=b", "'1a=b'" },
  { "a-b=c", "'a-b=c'" },
  { "a=b=c d=", "a='b=c' d=" },
  { "=a b", "'=a' 'b'" },
  { "a == b", "'a' '==' 'b'" },
  { "é=1 ünï \"ö\"", "'é=1' 'ünï' 'ö'" },
  { "echo 日本語 'é' $'\\u65e5' ~é", "'echo' '日本語' 'é' '日' '~é'" },
  { "test a = b -a c != d", "'test' 'a' '=' 'b' '-a' 'c' '!=' 'd'" },
  { "a !b; a ! b; echo hi!", "'a' '!b'; 'a' '!' 'b'; 'echo' 'hi!'" },
  { "!a", "'!a'" },
  { "!(a)", "! ( 'a' )" },
  { "! (a)", "! ( 'a' )" },
  { "!;a", NULL },
  { "! \n"
    "a",
    NULL },
  { "a | b | c |& d", "'a' | 'b' | 'c' |& 'd'" },
  { "a ||\n"
    "# x\n"
    "b",
    "'a' || 'b'" },
  { "case a in\n"
    "# x\n"
    "b) c ;; # d\n"
    "# e\n"
    "esac",
    "case 'a' in ('b') 'c' ;; esac" },
  { "for a in b # c\n"
    "do d # e\n"
    "done # f",
    "for a in 'b'; do 'd'; done" },
  { "if # a\n"
    "b # c\n"
    "then # d\n"
    "e\n"
    "fi",
    "if 'b'; then 'e'; fi" },
  { "{ # a\n"
    "b\n"
    "}",
    "{ 'b'; }" },
  { "( # a\n"
    "b\n"
    ")",
    "( 'b' )" },
  { "f() # a\n"
    "{ b; }",
    "function f () { 'b'; }" },
  { "a <<E # b\n"
    "c # d\n"
    "E",
    "'a' <<EOF\n"
    "c # d\n"
    "EOF\n" },
  { "a <<E;b\n"
    "$(cat <<F\n"
    "x\n"
    "F\n"
    ")\n"
    "E",
    "'a' <<EOF_\n"
    "$('cat' <<EOF\n"
    "x\n"
    "EOF\n"
    ")\n"
    "EOF_\n"
    "'b'" },
  { "a <<E\n"
    "${x:-\"a b\"} ${y:-'c d'} \"e\" 'f' \\g \\$h \\\\ \\\n"
    "i\n"
    "E",
    "'a' <<EOF\n"
    "${x:-a b} ${y:-\"'c d'\"} \"e\" 'f' \\\\g \\$h \\\\ i\n"
    "EOF\n" },
  { "a <<E\n"
    "`b`\n"
    "E",
    "'a' <<EOF\n"
    "$('b')\n"
    "EOF\n" },
  { "a <<'E'\n"
    "$(b\n"
    "E",
    "'a' <<'EOF'\n"
    "$(b\n"
    "EOF\n" },
  { "a <<E\n"
    "Ea\n"
    "E b\n"
    "E",
    "'a' <<EOF\n"
    "Ea\n"
    "E b\n"
    "EOF\n" },
  { "echo \"$(cat <<E\n"
    "x\n"
    "E)\"",
    "'echo' \"$('cat' <<EOF\n"
    "x\n"
    "EOF\n"
    ")\"" },
  { "for 1x in a; do b; done", NULL },
  { "for $x in a; do b; done", NULL },
  { "let x=(1)", NULL },
};

static char *
canonical (const char *text)
{
  g_autoptr (GuardTree) tree = guard_tree_read (text, strlen (text));

  g_assert_null (guard_tree_get_error (tree));
  return guard_tree_write (tree, guard_tree_get_root (tree));
}

static void
test_canonical (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *written = canonical (cases[i].text);

      g_test_message ("%s", cases[i].text);
      g_assert_cmpstr (written, ==, cases[i].canonical);
    }
}

/* What runs is read again as what was judged: writing it once more changes nothing. */
static void
test_idempotent (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *again = NULL;

      if (!cases[i].canonical)
        continue;
      g_test_message ("%s", cases[i].text);
      again = canonical (cases[i].canonical);
      g_assert_cmpstr (again, ==, cases[i].canonical);
    }
}

static void
test_raw (void)
{
  static const struct
  {
    const char *text;
    const char *raw;
  } raws[] = {
    { "a  'b c'   $x", "a  'b c'  $x" },
    { "if a\nthen b; fi", "if a; then b; fi" },
    { "a 2>&1 >'x y'|b", "a 2>&1 >'x y' | b" },
    { "echo $(a;b) `c;d`", "echo  $(a; b)  `c;d`" },
    { "cat <<'E'\n$x\nE\n", "cat <<'E'\n$x\nE\n" },
    { "a\nb;c", "a\nb; c" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (raws); i++)
    {
      g_autoptr (GuardTree) tree = guard_tree_read (raws[i].text, strlen (raws[i].text));
      g_autofree char *raw = guard_tree_write_raw (tree, guard_tree_get_root (tree));

      g_assert_cmpstr (raw, ==, raws[i].raw);
    }
}

/* The bare stretch of a bracket must never carry a command out with it. */
static void
test_never_loose (void)
{
  static const char *const texts[] = {
    "a[ ; touch x ]",          "a['b' ; touch x ]",      "a[$(b) ; touch x ]",
    "echo x[ $y'z' ; touch x", "[[ a =~ b'c'(d ; e) ]]", "let x=(1)",
    "for $x in a; do b; done", "a[$x;touch y]",          "a[$\"x\"`y`]=z",
  };

  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GuardTree) tree = guard_tree_read (texts[i], strlen (texts[i]));
      g_autofree char *written = guard_tree_write (tree, guard_tree_get_root (tree));
      g_autofree char *again = NULL;

      g_test_message ("%s -> %s", texts[i], written);
      if (!written)
        continue;
      again = canonical (written);
      g_assert_cmpstr (again, ==, written);
      g_assert_false (g_str_has_prefix (written, "'a'[") && strstr (written, " ;"));
    }
}

static void
test_fresh_delimiter (void)
{
  g_autofree char *one = canonical ("cat <<A\nEOF\nEOF_\nA\n");
  g_autofree char *two = canonical ("cat <<A\nEO\nA\n");

  g_assert_cmpstr (one, ==, "'cat' <<EOF__\nEOF\nEOF_\nEOF__\n");
  g_assert_cmpstr (two, ==, "'cat' <<EOF\nEO\nEOF\n");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/guard/write/canonical", test_canonical);
  g_test_add_func ("/guard/write/idempotent", test_idempotent);
  g_test_add_func ("/guard/write/raw", test_raw);
  g_test_add_func ("/guard/write/never-loose", test_never_loose);
  g_test_add_func ("/guard/write/fresh-delimiter", test_fresh_delimiter);
  return g_test_run ();
}
