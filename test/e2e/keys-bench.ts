/**
 * `pfar` and `npm start` on a terminal of their own (util-linux `script`), with an owner who reads the screen, writes the
 * recovery phrase down and answers. For keys.test.ts.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

export interface OnTerminal {
  readonly child: ChildProcess
  readonly ended: Promise<number | null>
  /** Everything that the terminal showed. */
  shown(): string
  /** The 24 words, as they were shown. */
  words(): string
}

/** `answers`: what to type when the screen ends in this. */
export function onTerminal(
  command: string,
  env: Readonly<Record<string, string | undefined>>,
  answers: readonly (readonly [RegExp, string])[] = [],
): OnTerminal {
  const child = spawn('script', ['-qefc', `${process.execPath} ${command}`, '/dev/null'], {
    cwd: ROOT,
    env: { ...process.env, TERM: 'dumb', ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let shown = ''
  let read = 0
  const words = (): string => {
    const cells = [...shown.matchAll(/\b(\d{1,2}) ([a-z]{3,8})\b/g)].slice(0, 24)
    const sorted = cells.map(([, at, word]) => [Number(at), word] as const).sort(([a], [b]) => a - b)
    return sorted.map(([, word]) => word).join(' ')
  }
  child.stdout?.on('data', (chunk) => {
    shown += String(chunk)
    // Moves of the cursor come before and after a question.
    const screen = shown.slice(read).replaceAll(new RegExp(`${'\u001b'}\\[[0-9;?]*[A-Za-z]`, 'g'), '')
    const answer = answerTo(screen, words(), answers)
    if (answer === null) return
    read = shown.length
    child.stdin?.write(`${answer}\r`)
  })
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  return { child, ended, shown: () => shown, words }
}

function answerTo(
  screen: string,
  words: string,
  answers: readonly (readonly [RegExp, string])[],
): string | null {
  if (/written them down\. $/.test(screen)) return ''
  const position = /Word (\d+): $/.exec(screen)?.[1]
  if (position !== undefined) return words.split(' ')[Number(position) - 1] ?? ''
  return answers.find(([question]) => question.test(screen))?.[1] ?? null
}

/** Nobody listens there now. */
export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (typeof address !== 'object' || address === null) throw new Error('no port')
  return address.port
}
