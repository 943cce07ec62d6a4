/**
 * Checks that what a job reports as new is identified by values that its service assigns (DESIGN §9): a text, or
 * a date alone, is chosen by its author and could suppress other news. Pure. Called by the loader of templates.
 */
import type { FieldSpec, RecordSpec } from '../flow/field.ts'
import { findAction, type Registry } from '../tool/registry.ts'
import type { JobDeclaration, NewsDeclaration } from './job.ts'

/** Name of the first invalid part; null if all are valid. A tool that this place lacks is skipped. */
export function newsFault(
  { news = [], at, silent = [] }: JobDeclaration,
  tools: readonly string[],
  registry: Registry,
): string | null {
  const times = typeof at === 'string' ? [at] : (at ?? [])
  if (times.some((time, index) => index > 0 && time <= (times[index - 1] ?? ''))) return 'job.at'
  if (silent.some((tool) => !tools.includes(tool) && findAction(registry, tool).ok)) return 'job.silent'
  for (const one of news) {
    const action = findAction(registry, one.tool)
    if (!action.ok) continue
    if (!tools.includes(one.tool) || action.value.semantics !== 'read') return 'job.news.tool'
    if (action.value.output.kind !== 'record') return 'job.news.tool'
    const fault = fieldFault(one, action.value.output)
    if (fault !== null) return `job.news.${fault}`
  }
  return null
}

function fieldFault(
  { list, by, without, counts, leaves }: NewsDeclaration,
  { fields }: RecordSpec,
): string | null {
  if (leaves?.some((name) => name === list || own(fields, name) === undefined) === true) return 'leaves'
  if ((list === undefined) !== (by === undefined) || (list === undefined && counts === undefined))
    return 'list'
  if (counts?.some((name) => own(fields, name)?.kind !== 'number') === true) return 'counts'
  if (list === undefined || by === undefined) return without === undefined ? null : 'without'
  const listed = own(fields, list)
  if (listed?.kind !== 'list' || listed.of.kind !== 'record') return 'list'
  const row = listed.of.fields
  const kinds = by.map((name) => own(row, name)?.kind)
  if (kinds[0] !== 'id' && kinds[0] !== 'url') return 'by'
  if (kinds.some((kind) => kind === undefined || kind === 'text' || kind === 'record' || kind === 'list'))
    return 'by'
  return Object.keys(without ?? {}).some((name) => own(row, name)?.kind !== 'enum') ? 'without' : null
}

function own(fields: RecordSpec['fields'], name: string): FieldSpec | undefined {
  return Object.hasOwn(fields, name) ? fields[name] : undefined
}
