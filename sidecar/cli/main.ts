/**
 * Entry of the `pfar` command. Must not do more than run the program and set the exit code. Called by
 * scripts/pfar.mjs.
 */
import { createContext } from './command.ts'
import { runProgram } from './program.ts'
import { createScreen } from './screen.ts'

// Node calls its own SQLite experimental whenever it is loaded; the owner can do nothing about it.
process.removeAllListeners('warning')

const screen = createScreen({ out: process.stdout, err: process.stderr }, process.env)

// A reader that went away (`pfar ask … | head`) is no failure of ours.
process.stdout.on('error', () => process.exit(0))

process.exitCode = await runProgram(createContext(screen, process.env), process.argv.slice(2))
