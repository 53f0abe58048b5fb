scm connection :

nb_channels = 2 ;
parameters :
real open ;
real close ;
real disconnect ;

automaton sender :
initial : idle
state idle :
to busy : when true , 0 ! open ;
state busy :
to idle : when true , 0 ! close ;
to idle : when true , 1 ? disconnect ;

automaton receiver :
initial : idle
state idle :
to busy : when true , 0 ? open ;
state busy :
to idle : when true , 0 ? close ;
to idle : when true , 1 ! disconnect ;

bad_states:
(automaton sender: in busy : true automaton receiver: in busy : true)
(automaton receiver: in idle : true with close.(open|close)^*.#.disconnect^*)
