/**
 * What a planner is told of a tool: what it takes and gives, and by which words it is found. Pure. Called by planner-view.ts.
 */
import { isDisclosed } from '../call/disclosure.ts'
import { type FieldSpec, usableOutline } from '../flow/field.ts'
import { isKept } from '../powers/effects.ts'
import type { ToolCard } from '../prompt/parts.ts'
import { plannedPart } from '../tool/pages.ts'
import type { RegisteredAction } from '../tool/registry.ts'

/** A manifest does not change, so neither does its card. */
const cards = new WeakMap<RegisteredAction, ToolCard>()

export function cardOf(action: RegisteredAction): ToolCard {
  const card = cards.get(action) ?? describe(action)
  cards.set(action, card)
  return card
}

function describe(action: RegisteredAction): ToolCard {
  const { id, description, semantics, core, sought, terms, called, named } = action
  const { args, output } = plannedPart(action)
  const kinds = Object.entries(args.fields).map(([name, field]) => {
    const own = name === named?.argument ? named.names.map((one) => one.name).join('|') : null
    const kind = own ?? (isDisclosed(field) ? `${field.kind}, words of the message exactly` : kindOf(field))
    return [field.optional === true ? `${name}?` : name, kind] as const
  })
  // No later step uses what it says of a row that it wrote here.
  const gives = isKept(id) ? '' : usableOutline(output)
  return {
    id,
    description,
    semantics,
    args: Object.fromEntries(kinds),
    gives,
    ...(core && { core }),
    ...(sought && { sought }),
    ...(terms && { terms }),
    ...(called && { called }),
    ...(named && { named }),
  }
}

/** UTF-16 units of the values that a card has for one argument. */
const MOST_VALUES = 76

/** A planner can only choose among values that it is told. */
function kindOf(field: FieldSpec): string {
  if (field.kind === 'list') {
    const each = kindOf(field.of)
    return field.of.kind === 'enum' && each !== 'enum' ? `list of ${each}` : field.kind
  }
  const values = field.kind === 'enum' ? (field.values ?? []).join('|') : ''
  return values === '' || values.length > MOST_VALUES ? field.kind : values
}
