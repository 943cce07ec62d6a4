/**
 * Generates `docs/tools.md`: each tool with its actions, the label of their results, where it runs, what asks for approval, and
 * what must be connected. From the declarations and their words only. Called by tools.ts.
 */
import { leavesOf } from '../../kernel/flow/field.ts'
import { type Level, maxLevel } from '../../kernel/flow/level.ts'
import type { ActionManifest, ToolManifest } from '../../kernel/tool/manifest.ts'

interface Described {
  readonly manifest: ToolManifest
  /** Help line of an action, by id; undefined for an action that nobody asks for directly. */
  readonly help: (id: string) => string | undefined
}

const HEAD = `# Tools

Each tool with what can be asked of it. *Gives* is the label of its results, with the highest one where that depends on what is asked (a private channel, a
host that you did not label); [README](../README.md#how-it-is-built-in-one-picture) says who may see which. *Asks* is what comes before it. A private line may
use all that is connected; the open line only what is public there, and busy times. Mail of any provider needs \`pfar connect mail\` instead of Google, files
need \`pfar connect files\`, and \`pfar search use\` chooses the search engine. \`pfar http\` names web services.
Generated from the declarations by \`npm run tables\`.
`

export function toolPage(tools: readonly Described[]): readonly [path: string, text: string] {
  return ['docs/tools.md', [HEAD, ...tools.map(section)].join('\n')]
}

function section({ manifest, help }: Described): string {
  const { name, places, credential, connect, actions } = manifest
  const access =
    credential === null
      ? 'No account or key of a service.'
      : `Needs ${connect?.title ?? credential}: \`pfar connect ${credential}\`.`
  const where =
    places.length > 1 ? 'At home and at the edge.' : places[0] === 'home' ? 'At home.' : 'At the edge.'
  const rows = actions
    .filter(({ capability }) => capability !== undefined)
    .map((action) => row(action, help(action.id)))
  return [
    `## ${name}`,
    '',
    `${where} ${access}`,
    '',
    '| action | | gives | asks |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n')
}

function row(action: ActionManifest, help: string | undefined): string {
  return `| \`${action.id}\` | ${cell(help ?? action.description)} | ${gives(action)} | ${asks(action)} |`
}

function gives({ ceiling, raises, compartment, output }: ActionManifest): string {
  const named = (level: Level): string => `\`${compartment === null ? level : `${level}:${compartment}`}\``
  const usual = leavesOf(output).reduce((most, [, leaf]) => maxLevel(most, leaf.level ?? ceiling), ceiling)
  const most = maxLevel(usual, raises ?? usual)
  return most === usual ? named(usual) : `${named(usual)}, up to ${named(most)}`
}

function asks({ semantics, asks: rule, reaches, target, args }: ActionManifest): string {
  const tells = Object.values(args.fields).some((spec) =>
    leavesOf(spec).some(([, leaf]) => leaf.disclosed === true),
  )
  if (semantics === 'read') return tells ? 'a card with the words that leave' : 'nothing'
  const readers =
    target !== undefined
      ? '; who reads it stands on the card'
      : reaches === 'public'
        ? '; everyone reads it'
        : ''
  if (rule === 'taint') return `only where others' words had a part, as it can be taken back${readers}`
  return `${rule === 'always' ? 'each time' : 'a card, or a grant of yours'}${readers}`
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|')
}
