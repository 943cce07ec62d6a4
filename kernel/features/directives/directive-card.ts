/**
 * Card shown before lines are removed from a directive file (O-09): every removed and added line verbatim. Together
 * with the version it names, it determines the new text exactly. Must not truncate. Called by directive-desk.ts.
 */
import { differenceOf } from '../../directives/change.ts'
import { showUnseen } from '../../wording/visible.ts'

export interface DirectiveCard {
  readonly name: string
  readonly version: number
  readonly before: string
  readonly after: string
}

export function directiveCard({ name, version, before, after }: DirectiveCard): string {
  const { at, gone, come } = differenceOf(before, after)
  return [
    `May I change the directive file ${name}? Lines go from version ${version}, after line ${at}:`,
    ...gone.map((line) => marked('-', line)),
    ...(come.length === 0 ? ['Nothing comes in their place.'] : ['In their place:']),
    ...come.map((line) => marked('+', line)),
    `The version before stays for seven days: pfar brain history ${name}`,
  ].join('\n')
}

/** Prefixes lines so that no line of the file looks like a line of the card. */
function marked(sign: '-' | '+', line: string): string {
  return `  ${sign} ${showUnseen(line)}`.trimEnd()
}
