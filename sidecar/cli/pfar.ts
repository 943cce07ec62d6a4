/** The `pfar` command: runs the program and sets the exit code, nothing else. Run by main.js. */

import { asTyped } from '../process/typed-commands.ts'
import { createScreen } from './chat/screen.ts'
import { createContext } from './command.ts'
import { runProgram } from './program.ts'

// Suppresses Node's warning that its SQLite is experimental.
process.removeAllListeners('warning')

const screen = createScreen({ out: process.stdout, err: process.stderr }, process.env, (text) =>
  asTyped(text, process.env),
)

// A closed pipe (`pfar ask … | head`) is not an error.
process.stdout.on('error', () => process.exit(0))

void runProgram(createContext(screen, process.env), process.argv.slice(2)).then((code) => {
  process.exitCode = code
})
