chan c = [1] of {byte}; byte tries;
active proctype S() { do :: c!1 :: timeout -> tries++; assert(tries < 2); c?_ od }
