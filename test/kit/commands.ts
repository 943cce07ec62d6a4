/**
 * Commands of `pfar` in a process that goes by a test clock: to start one for each command takes as long as ten commands. What a command prints is
 * returned and not written. Must not be used where the process is what is tested. Called by terminal-bench.ts.
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

/** Runs one command here, in this process. */
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

/** `clock`: what `createTestClock` gives for a process. The process starts with the first command. */
export function createCommands(clock: NodeJS.ProcessEnv): Commands {
  const waiting = new Map<number, (ran: Ran) => void>()
  let [child, count]: [ChildProcess | null, number] = [null, 0]
  const start = (): ChildProcess => {
    // Nothing of a state folder is in its own environment: tests look for the processes of a folder there.
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
