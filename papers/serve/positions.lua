-- Requests for wrk: each line of the file FENS (in the environment) is a position, asked for at the path PATH_OF, in the order of the file.
local requests, k = {}, 0
-- Called when the header Host is known.
function init ()
  for line in io.lines (os.getenv ("FENS")) do
    requests[#requests + 1] = wrk.format ("GET", os.getenv ("PATH_OF") .. "?fen=" .. line)
  end
end
function request ()
  k = k % #requests + 1
  return requests[k]
end
