chan c = [1] of { byte };
active proctype P() { do :: c?1 :: else -> c!1 od }
