/**
 * What the owner reads before lines go from a directive file (O-09): every line that goes and every line that comes in
 * its place, as it really is. With the version that it names, this gives the new text exactly. Must not cut. Called by
 * runtime/directive-desk.ts.
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

/** No line of a file begins like one of the card's own. */
function marked(sign: '-' | '+', line: string): string {
  return `  ${sign} ${showUnseen(line)}`.trimEnd()
}
