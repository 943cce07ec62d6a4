/**
 * Runs `pfar` commands in one child process under a test clock, since a process per command takes as long as ten commands.
 * Returns the output instead of printing it. Must not be used where the process itself is tested. Called by tests of the command
 * line.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { createScreen } from '../../sidecar/cli/chat/screen.ts'
import { createContext } from '../../sidecar/cli/command.ts'
import { runProgram } from '../../sidecar/cli/program.ts'

export interface Ran {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** Runs one command in this process. */
export async function runHere(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<Ran> {
  const said = { out: '', err: '' }
  const streamOf = (name: 'out' | 'err') => ({
    isTTY: false as const,
    write(text: string | Uint8Array) {
      said[name] += String(text)
      return true
    },
  })
  const screen = createScreen({ out: streamOf('out'), err: streamOf('err') }, environment)
  const code = await runProgram(createContext(screen, environment), args)
  return { code, ...said }
}

interface Asked {
  readonly id: number
  readonly args: readonly string[]
  readonly environment: NodeJS.ProcessEnv
}

interface Answered {
  readonly id: number
  readonly ran: Ran
}

interface Commands {
  run(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<Ran>
  end(): void
}

/** The child process starts with the first command. `clock`: its environment for the test clock (`createTestClock`). */
export function createCommands(clock: NodeJS.ProcessEnv): Commands {
  const waiting = new Map<number, (ran: Ran) => void>()
  let [child, count]: [ChildProcess | null, number] = [null, 0]
  const start = (): ChildProcess => {
    // Its environment names no state folder, because tests search for the processes of a folder by their environment.
    const env = { ...process.env, ...clock }
    const started = fork(import.meta.filename, {
      env,
      execArgv: [],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    started.on('message', ({ id, ran }: Answered) => {
      waiting.get(id)?.(ran)
      waiting.delete(id)
    })
    started.on('exit', (code) => {
      for (const done of waiting.values()) done({ code, out: '', err: 'the process of commands has ended' })
      waiting.clear()
    })
    return started
  }
  return {
    run: (args, environment) =>
      new Promise((resolve) => {
        child ??= start()
        count += 1
        waiting.set(count, resolve)
        child.send({ id: count, args, environment } satisfies Asked)
      }),
    end() {
      child?.kill('SIGKILL')
      child = null
    },
  }
}

if (import.meta.main)
  process.on('message', ({ id, args, environment }: Asked) => {
    void runHere(args, environment).then((ran) => process.send?.({ id, ran }))
  })
