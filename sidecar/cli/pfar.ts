/** The `pfar` command: runs the program and sets the exit code, nothing else. Run by main.js. */

import { speak } from '../../integrations/languages/speak.ts'
import { spokenAt } from '../spoken-language.ts'
import { createScreen } from './chat/screen.ts'
import { asTyped } from './chat/typed-commands.ts'
import { createContext } from './command.ts'
import { runProgram } from './program.ts'
import { statePaths } from './state-paths.ts'

// Suppresses Node's warning that its SQLite is experimental.
process.removeAllListeners('warning')

const screen = createScreen({ out: process.stdout, err: process.stderr }, process.env, (text) =>
  asTyped(text, process.env),
)

// A closed pipe (`pfar ask … | head`) is not an error.
process.stdout.on('error', () => process.exit(0))

async function run(): Promise<void> {
  await speak(spokenAt(statePaths(process.env).root))
  process.exitCode = await runProgram(createContext(screen, process.env), process.argv.slice(2))
}

void run()
