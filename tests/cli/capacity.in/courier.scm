scm courier :
nb_channels = 2 ;
parameters :
real letter ;
real thanks ;

automaton office :
initial : idle
state idle :
to idle : 0 ! letter ;
to idle : 1 ? thanks ;

automaton house :
initial : home
state home :
to busy : 0 ? letter ;
state busy :
to home : 1 ! thanks ;
