/**
 * Removes one DNS record: the one that was looked up and approved. Never guesses: if several records match a name, none is
 * removed. Must not retry a write. Called by run.ts.
 */
import { err } from '../../../kernel/flow/verdict.ts'
import type { ToolCall, ToolOutcome } from '../../../kernel/tool/manifest.ts'
import { fieldOf, stringOf } from '../reading.ts'
import { UNCLEAR } from '../remote.ts'
import { type Api, getRows, remove } from './api.ts'
import { CARRIED, REMOVED, TTL } from './making.ts'
import { CHANGED, CLOUDFLARE_TEXT } from './manifest.ts'
import { markOf } from './mark.ts'
import { workerAt, zoneOf } from './records.ts'
import { domainIn, idOf, isId, linesOf } from './shape.ts'

/**
 * The read by which the kernel learns which record would be removed. Refusals: tool_arguments_invalid; remote_not_found, also if
 * several match.
 */
export async function findRemoved(api: Api, { args }: Pick<ToolCall, 'args'>): Promise<ToolOutcome> {
  const name = domainIn(String(args['name']))
  if (name === null) return err('tool_arguments_invalid', { rule: 'name' })
  const zone = await zoneOf(api, name)
  if (!zone.ok) return zone
  const found = await getRows(api, `/zones/${zone.value.id}/dns_records`, { name })
  if (!found.ok) return found
  const { type, value } = args
  const own = found.value.rows.filter((row) => domainIn(stringOf(row, 'name')) === name)
  const fit = own.filter(
    (row) =>
      REMOVED.some((kind) => kind === stringOf(row, 'type')) &&
      (type === undefined || stringOf(row, 'type') === type) &&
      (typeof value !== 'string' || saysIt(stringOf(row, 'content'), value)),
  )
  const [row, ...others] = fit
  const record = row === undefined ? null : idOf(row)
  const from = row === undefined ? '' : stringOf(row, 'content')
  const isMore = others.length > 0 || found.value.more
  if (row === undefined || record === null || isMore || from.length > CLOUDFLARE_TEXT.content)
    return err('remote_not_found', { rule: 'record' })
  const [ttl, proxied] = [fieldOf(row, 'ttl'), fieldOf(row, 'proxied')]
  const beside = linesOf(
    own.filter((one) => one !== row),
    CARRIED,
  )
  return {
    ok: true,
    output: {
      ...{ zone: zone.value.id, domain: zone.value.name, record, kind: stringOf(row, 'type'), from },
      ...(typeof proxied === 'boolean' && { through: proxied }),
      ...(typeof ttl === 'number' && ttl !== TTL.automatic && { seconds: ttl }),
      ...(beside !== '' && { others: beside }),
      worker: await workerAt(api, zone.value, name),
    },
  }
}

/** Compares without the quotes that Cloudflare puts around a text, which nobody types. */
function saysIt(content: string, value: string): boolean {
  const plain = (text: string): string =>
    text
      .trim()
      .replace(/^"(.*)"$/s, '$1')
      .toLowerCase()
  return plain(content) === plain(value)
}

export async function removeRecord(api: Api, { args, credential }: ToolCall): Promise<ToolOutcome> {
  const { zone, record, kind, from, through, seconds } = args
  const name = domainIn(String(args['name']))
  const type = REMOVED.find((one) => one === kind)
  // Removes only a record that was looked up.
  if (name === null || type === undefined || typeof from !== 'string' || !isId(zone) || !isId(record))
    return err('tool_arguments_invalid', { rule: 'record' })
  const gone = await remove(api, `/zones/${zone}/dns_records/${record}`)
  if (!gone.ok) {
    const { code } = gone.reason
    return UNCLEAR.has(code) ? err('write_outcome_unknown', { after: code }) : gone
  }
  if (stringOf(gone.value, 'id') !== record)
    return err('write_outcome_unknown', { after: 'tool_result_invalid' })
  const how = {
    ...(typeof through === 'boolean' && { proxied: through }),
    ...(typeof seconds === 'number' && { ttl: seconds }),
  }
  // Records with several values, and longer ones, cannot be restored from one line.
  const isPlain = CHANGED.some((one) => one === type) && from.length <= CARRIED
  const carried = { name, kind: type, content: from, ...how }
  const mark = isPlain ? markOf({ proxied: undefined, ttl: undefined, ...carried }, credential) : null
  const output = mark === null ? { name, kind: type, carried: false } : { ...carried, carried: true, mark }
  return { ok: true, output }
}
