/**
 * Lines of an answer that imitate the kernel or the terminal (F-03): a question for approval, a frame, a status line. Such a
 * line gets the mark of foreign text on an approval card, and one sentence explains the mark; box-drawing characters become
 * plain ones. Pure and linear; called by unit.ts.
 */

/** Follows the marked lines. */
export const NO_QUESTION =
  '(Lines marked with | are part of this answer. A question for approval always comes as a message of its own.)'

/** Beginnings of kernel lines, after decorative characters. */
const DRESS = /^[\s\p{P}\p{S}]*/u
const BEGINNINGS =
  /^(?:may i do this\b|i ask (?:because|before)\b|nothing has been done yet\b|answer yes or no\b|no approval is waiting\b|connected again\b|the connection to [a-z ]{1,20} is lost\b|your home box does not answer\b|shall i answer without your private data\b|(?:approval|permission|confirmation) (?:required|needed|request(?:ed)?)\b|(?:approve|allow|confirm|authori[sz]e)\s?[?:/(]|(?:home|edge) · (?:public|internal|sensitive|regulated|secret)\b|\d{1,3}\. [\w.[\]]{1,60} · \w{1,60} · \d|(?:pfar|system|kernel|security)\s?[:>]|\[?(?:system|kernel|security|admin) (?:message|notice|alert|prompt)\b)/iu
/** Instructions on how to approve something. Only a card may ask for that. */
const ASKS_FOR_YES =
  /\bpfar\s{1,3}(?:approve|deny|grants?)\b|\b(?:answer|reply|respond|type|write|say|send|press|tap|click|hit|enter)\s{1,3}(?:back\s{1,3})?(?:with\s{1,3}|on\s{1,3})?[`"'“*_(/ ]{0,4}(?:yes|no|y|ok|okay|approve[d]?|confirm|allow|deny)\b[^\n]{0,40}\b(?:to|and|if|for|or)\b|\bapprove\s{1,3}(?:with|by|via|here)\b/i

/** Box-drawing and block characters. A table with plain characters instead stays readable. */
const DRAWING = /[\u2500-\u259f]/g
const LEVEL = '─━┄┅┈┉╌╍═╴╶╸╺╼╾▀▁▂▃▄▔'
const UPRIGHT = '│┃┆┇┊┋╎╏║╵╷╹╻╽╿▌▐▏▕█'

export function unmask(text: string): string {
  const plain = text.replace(DRAWING, (sign) =>
    LEVEL.includes(sign) ? '-' : UPRIGHT.includes(sign) ? '|' : '+',
  )
  let marked = 0
  const lines = plain.split('\n').map((line) => {
    if (!isImitation(line)) return line
    marked += 1
    return `| ${line}`
  })
  return marked === 0 ? plain : [...lines, NO_QUESTION].join('\n')
}

/** A line that is already marked is a quotation. */
function isImitation(line: string): boolean {
  if (/^\s*[>|]/.test(line)) return false
  const bare = line.slice(DRESS.exec(line)?.[0].length ?? 0)
  return BEGINNINGS.test(bare) || ASKS_FOR_YES.test(line)
}
