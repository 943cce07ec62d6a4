/**
 * What a planner is told of a tool: what it takes and gives, and by which words it is found. Pure. Called by planner-view.ts.
 */
import { isDisclosed } from '../call/disclosure.ts'
import { type FieldSpec, usableOutline } from '../flow/field.ts'
import { isKept } from '../powers/effects.ts'
import type { ToolCard } from '../prompt/parts.ts'
import { plannedPart } from '../tool/pages.ts'
import { changesSomething, type RegisteredAction } from '../tool/registry.ts'

/** A manifest does not change, so neither does its card. */
const cards = new WeakMap<RegisteredAction, ToolCard>()

export function cardOf(action: RegisteredAction): ToolCard {
  const card = cards.get(action) ?? describe(action)
  cards.set(action, card)
  return card
}

function describe(action: RegisteredAction): ToolCard {
  const { id, description, semantics, core, sought, terms, finds, called, named } = action
  const { args, output } = plannedPart(action)
  // Which account an id stands for is told to no planner: one that has no names of the owner's goes without saying.
  const isTold = ([name, field]: readonly [string, FieldSpec]): boolean =>
    !('scope' in field && field.scope === true && field.optional === true && field.kind === 'id') ||
    name === named?.argument
  const kinds = Object.entries(args.fields)
    .filter(isTold)
    .map(([name, field]) => {
      const own = name === named?.argument ? named.names.map((one) => one.name).join('|') : null
      const kind = own ?? (isDisclosed(field) ? EXACT : kindOf(field))
      return [field.optional === true ? `${name}?` : name, kind] as const
    })
  // No later step uses what it says of a row that it wrote here.
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

/** What a later step can do with a write's result is to refer to what is there now; all else says how it went, or what the write was given. */
function newlyThere(output: FieldSpec, args: RegisteredAction['args']): FieldSpec {
  if (output.kind !== 'record') return output
  const isNew = ([name, { kind }]: readonly [string, FieldSpec]): boolean =>
    !Object.hasOwn(args.fields, name) && (kind === 'id' || kind === 'url')
  return { ...output, fields: Object.fromEntries(Object.entries(output.fields).filter(isNew)) }
}

/** Of what leaves as it was typed. */
const EXACT = 'exact words of the message'

/** UTF-16 units of the values that a card has for one argument. */
const MOST_VALUES = 76

/** Of these a planner knows which stand between. */
const WEEK = 'monday|tuesday|wednesday|thursday|friday|saturday|sunday'

/** A planner can only choose among values that it is told. */
function kindOf(field: FieldSpec): string {
  if (field.kind === 'list') {
    const each = kindOf(field.of)
    return each.includes('|') ? `list of ${each}` : `${each}[]`
  }
  const values = field.kind === 'enum' ? (field.values ?? []).join('|').replace(WEEK, 'monday|…|sunday') : ''
  return values === '' || values.length > MOST_VALUES ? field.kind : values
}
