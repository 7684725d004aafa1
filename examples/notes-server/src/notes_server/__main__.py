from notes_server.server import main

main()
