/**
 * Builds the card of a tool for planners: what it takes and gives, and the words by
 * which it is found. Pure. Called by planner-view.ts.
 */
import { isDisclosed } from '../call/disclosure.ts'
import { type FieldSpec, usableOutline } from '../flow/field.ts'
import { isKept } from '../powers/effects.ts'
import type { ToolCard } from '../prompt/parts.ts'
import { plannedPart } from '../tool/pages.ts'
import { changesSomething, type RegisteredAction } from '../tool/registry.ts'

/** Cache: a manifest does not change, so neither does its card. */
const cards = new WeakMap<RegisteredAction, ToolCard>()

export function cardOf(action: RegisteredAction): ToolCard {
  const card = cards.get(action) ?? describe(action)
  cards.set(action, card)
  return card
}

function describe(action: RegisteredAction): ToolCard {
  const { id, description, semantics, core, sought, terms, finds, called, named } = action
  const { args, output } = plannedPart(action)
  // An optional account id is omitted from the card unless the owner has named the accounts: no planner learns which account an
  // id stands for.
  const isShown = ([name, field]: readonly [string, FieldSpec]): boolean =>
    !('scope' in field && field.scope === true && field.optional === true && field.kind === 'id') ||
    name === named?.argument
  const kinds = Object.entries(args.fields)
    .filter(isShown)
    .map(([name, field]) => {
      const own = name === named?.argument ? named.names.map((one) => one.name).join('|') : null
      const kind = own ?? (isDisclosed(field) ? EXACT : kindOf(field))
      return [field.optional === true ? `${name}?` : name, kind] as const
    })
  // No later step uses the result of a write to a row that this place stores.
  const gives = isKept(id) ? '' : usableOutline(semantics === 'write' ? newlyThere(output, args) : output)
  return {
    id,
    description,
    semantics: changesSomething(action) ? 'write' : 'read',
    args: Object.fromEntries(kinds),
    gives,
    ...(core && { core }),
    ...(sought && { sought }),
    ...(terms && { terms }),
    ...(finds && { finds }),
    ...(called && { called }),
    ...(named && { named }),
  }
}

/**
 * The fields of a write's result that a later step can use: ids and addresses of what
 * now exists. Other fields say how the write went, or repeat its arguments.
 */
function newlyThere(output: FieldSpec, args: RegisteredAction['args']): FieldSpec {
  if (output.kind !== 'record') return output
  const isNew = ([name, { kind }]: readonly [string, FieldSpec]): boolean =>
    !Object.hasOwn(args.fields, name) && (kind === 'id' || kind === 'url')
  return { ...output, fields: Object.fromEntries(Object.entries(output.fields).filter(isNew)) }
}

/** Kind of an argument that leaves exactly as typed. */
const EXACT = 'exact words of the message'

/** Maximum UTF-16 units of the values listed for one argument. */
const MOST_VALUES = 76

/** Weekdays, of which a card shows the first and the last. */
const WEEK = 'monday|tuesday|wednesday|thursday|friday|saturday|sunday'

/** Kind of an argument; an enum lists its values, because a planner can choose only from values that it sees. */
function kindOf(field: FieldSpec): string {
  if (field.kind === 'list') {
    const each = kindOf(field.of)
    return each.includes('|') ? `list of ${each}` : `${each}[]`
  }
  const values = field.kind === 'enum' ? (field.values ?? []).join('|').replace(WEEK, 'monday|…|sunday') : ''
  return values === '' || values.length > MOST_VALUES ? field.kind : values
}
