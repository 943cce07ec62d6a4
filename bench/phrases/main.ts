/**
 * `npm run evaluate:phrases [-- FILE…] [--all]`: counts by section how many phrasings of a file are planned correctly without
 * a model, declined, or planned wrongly. Must not write anything. Called by package.json.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { phrasingsOf, readingOf, type Scored, score, type Verdict } from './score.ts'

const FILES = [
  'heldout',
  'heldout-2',
  'seen',
  'strangers',
  ...[4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17].map((round) => `strangers-${round}`),
].map((name) => `test/language/${name}.txt`)
const VERDICTS: readonly Verdict[] = ['right', 'asked', 'declined', 'misasked', 'in part', 'wrong']

const named = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
for (const file of named.length > 0 ? named : FILES) report(file)

function report(file: string): void {
  const path = named.length > 0 ? file : join(import.meta.dirname, '../..', file)
  const rows = phrasingsOf(readFileSync(path, 'utf8')).map(score)
  process.stdout.write(`\n${file}: ${rows.length} phrasings\n`)
  for (const section of [...new Set(rows.map((row) => row.section))])
    process.stdout.write(
      countsOf(
        section,
        rows.filter((row) => row.section === section),
      ),
    )
  process.stdout.write(countsOf('all', rows))
  process.stdout.write(timesOf(rows))
  const shown = process.argv.includes('--all') ? rows.filter(isNotRight) : rows.filter(isWrong)
  for (const { verdict, expected, text, got } of shown)
    process.stdout.write(`${verdict.padEnd(9)}${text}\n         expected ${expected}; got ${got}\n`)
}

/** Median and maximum time in ms to read and plan one message. */
function timesOf(rows: readonly Scored[]): string {
  const times = rows
    .map(({ text }) => {
      const start = performance.now()
      readingOf(text)
      return performance.now() - start
    })
    .sort((a, b) => a - b)
  const [middle, most] = [times[Math.floor(times.length / 2)] ?? 0, times.at(-1) ?? 0]
  return `  a message: ${middle.toFixed(1)} ms, at most ${most.toFixed(1)} ms\n`
}

function countsOf(title: string, rows: readonly Scored[]): string {
  const counts = VERDICTS.map((verdict) => {
    const count = rows.filter((row) => row.verdict === verdict).length
    return `${verdict} ${String(count).padStart(3)} (${((100 * count) / rows.length).toFixed(1)} %)`
  })
  return `  ${title.padEnd(18)} ${counts.join('   ')}\n`
}

function isWrong({ verdict }: Scored): boolean {
  return verdict === 'wrong'
}

function isNotRight({ verdict }: Scored): boolean {
  return verdict !== 'right'
}
