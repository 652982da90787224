s/a/b/gw out.txt
1,3{/x/d;r y
}
$!N;y/ab/cd/
