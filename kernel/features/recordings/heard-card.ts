/**
 * What the owner reads before what was heard of a recording of his is taken as his message (H-15): all of it, on lines that nothing
 * of it can end. Words only. Called by runtime/heard.ts.
 */
import { showHosts } from '../../wording/visible.ts'

/** Characters of a line of what was heard: below where a card cuts one. */
const LINE = 300

/** `heard`: one line, without characters that nobody sees. */
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
