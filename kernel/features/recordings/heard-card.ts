/**
 * Card shown before the transcript of the owner's recording is taken as a message (H-15): the full transcript, on
 * lines that its text cannot break. Words only. Called by heard.ts.
 */
import { showHosts } from '../../wording/visible.ts'

/** Characters of a transcript line: below the length at which a card cuts lines. */
const LINE = 300

/** `heard`: one line, without invisible characters. */
export function heardCard(heard: string): string {
  const characters = [...showHosts(heard)]
  const lines: string[] = []
  for (let at = 0; at < characters.length; at += LINE) lines.push(characters.slice(at, at + LINE).join(''))
  const [only = ''] = lines
  const shown =
    lines.length > 1 ? ['I heard:', ...lines.map((line) => `  “${line}”`)] : [`I heard: “${only}”`]
  return [...shown, QUESTION].join('\n')
}

const QUESTION = 'Shall I take this as your message? Without a yes I do nothing with it, and drop it.'
