/**
 * `pfar` and `npm start` on a terminal of their own (util-linux `script`), with an owner who reads the screen, writes the
 * recovery phrase down and answers. For keys.test.ts.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

const PHRASE =
  /The recovery phrase of the new master key\.|Die Wiederherstellungswörter des neuen Hauptschlüssels\./g
const CELL = /(\d{1,2}) ([a-z]{3,8})\b/g
/** Four words, each with its number. */
const ROW = /^(?: *\d{1,2} [a-z]{3,8}){4}\s*$/gm

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
  // A test that ran out of time leaves nobody at a question: its runner would wait for them for ever.
  onTestFinished(() => void child.kill('SIGKILL'))
  let shown = ''
  let read = 0
  const words = (): string => {
    // The last phrase that was shown: a sentence around it may say "24 words", too.
    const rows = shown.slice([...shown.matchAll(PHRASE)].at(-1)?.index ?? 0).match(ROW) ?? []
    const cells = rows.flatMap((row) => [...row.matchAll(CELL)])
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
  if (/(?:written them down|aufgeschrieben hast)\. $/.test(screen)) return ''
  const position = /(?:Word|Wort) (\d+): $/.exec(screen)?.[1]
  if (position !== undefined) return words.split(' ')[Number(position) - 1] ?? ''
  return answers.find(([question]) => question.test(screen))?.[1] ?? null
}
