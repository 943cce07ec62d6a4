/**
 * `pfar http`: writes the hosts that the owner names and the requests that they save into config.toml. A running home applies
 * them at once. Must not send a request, or accept a key. Called by local/http.ts.
 */

import {
  fieldIn,
  HTTP_LABELS,
  type HttpLabel,
  type HttpSetting,
  keyFormIn,
  keyName,
  labelOf,
  requestName,
  type SavedRequest,
  UNLABELLED,
} from '../../../integrations/tools/http/setting.ts'
import type { Config } from '../../config/config.ts'
import { replaceEntry } from '../../config/config-edit.ts'
import {
  addressIn,
  fieldText,
  hostTable,
  isUnreachable,
  originIn,
  savedTable,
} from '../../config/http-settings.ts'
import { looksSecret } from '../../config/literal-secret.ts'
import { askSocket, type CommandContext, type ExitCode, fail, said } from '../command.ts'
import { openConfig } from './opened-config.ts'

interface Opened {
  readonly config: Config
  readonly path: string
}

const AGAIN = 'Home knows it once it is started.'
const NOW = 'Home knows it now.'

export function listHttp(context: CommandContext): ExitCode {
  const opened = open(context)
  if (typeof opened === 'number') return opened
  const { hosts, saved } = opened.config.http
  const { screen } = context
  if (hosts.length + saved.length === 0)
    screen.out('No host is named and no request is saved. `pfar http save --help` says how.')
  for (const { origin, label, key } of hosts)
    screen.out(`${shown(origin)}: ${label}${key === undefined ? '' : `, with a key (${key})`}`)
  for (const one of saved)
    screen.out(`${one.name}: ${shown(one.url)}: ${one.label}${one.fields.map(fieldWords).join('')}`)
  return 0
}

export async function allowHost(
  context: CommandContext,
  {
    host,
    label: typed,
    key: form,
  }: { readonly host: string; readonly label?: string; readonly key?: string },
): Promise<ExitCode> {
  const origin = originIn(host)
  if (!origin.ok || isUnreachable(origin.value))
    return said(
      context,
      'Give a host with https, such as api.example.com, or an address (no name) of your own network, such as http://192.168.1.20:8123.',
    )
  const label = labelIn(typed)
  if (label === null) return said(context, LABELS)
  const opened = open(context)
  if (typeof opened === 'number') return opened
  const before = opened.config.http.hosts.find((one) => one.origin === origin.value)
  const key = form === undefined ? before?.key : (keyFormIn(form) ?? undefined)
  const secret = key === undefined ? null : keyName(origin.value)
  if ((form !== undefined && key === undefined) || (key !== undefined && secret === null))
    return said(context, KEYS)
  const after = hostTable({ origin: origin.value, label, ...(key !== undefined && { key }) })
  if (!replaceEntry(opened.path, before === undefined ? null : hostTable(before), after))
    return byHand(context, after)
  const known = await renewed(context)
  const give = secret === null ? '' : ` Its key: pfar connect ${secret}`
  context.screen.out(`${shown(origin.value)} is named; its answers are ${label}. ${known}${give}`)
  return 0
}

interface Typed {
  readonly name: string
  readonly address: string
  readonly field: readonly string[]
  readonly label?: string
}

export async function saveRequest(context: CommandContext, typed: Typed): Promise<ExitCode> {
  const name = requestName(typed.name)
  if (name === null) return said(context, 'A name is up to six plain words, such as office-temp.')
  const wrong = typed.field.find((one) => fieldIn(one) === null)
  if (wrong !== undefined)
    return said(
      context,
      `I do not understand the field ${wrong}: write it as temperature:number or door=state:open|closed.`,
    )
  const url = addressIn(typed.address)
  if (url === null)
    return said(context, 'Give the whole address: https, or an address (no name) of your own network.')
  if (looksSecret(url))
    return said(
      context,
      'That address seems to hold a key. An address is written to logs on its way, so none is saved with a key in it.',
    )
  const opened = open(context)
  if (typeof opened === 'number') return opened
  const label = typed.label === undefined ? labelFor(opened.config.http, url) : labelIn(typed.label)
  if (label === null) return said(context, LABELS)
  const before = opened.config.http.saved.find((one) => one.name === name)
  const after = savedTable({ name, url, label, fields: [...typed.field] })
  if (!replaceEntry(opened.path, before === undefined ? null : tableOf(before), after))
    return byHand(context, after)
  context.screen.out(`Saved. ${await renewed(context)} Then ask: ${name}?`)
  return 0
}

export async function removeHttp(
  context: CommandContext,
  { name: typed }: { readonly name: string },
): Promise<ExitCode> {
  const opened = open(context)
  if (typeof opened === 'number') return opened
  const { hosts, saved } = opened.config.http
  const name = requestName(typed)
  const origin = originIn(typed)
  const request = saved.find((one) => one.name === name)
  const host = hosts.find((one) => origin.ok && one.origin === origin.value)
  const table = request !== undefined ? tableOf(request) : host !== undefined ? hostTable(host) : null
  if (table === null) return said(context, 'There is no such request or host; `pfar http list` shows them.')
  if (!replaceEntry(opened.path, table, null))
    return said(
      context,
      'config.toml has it in other words than I wrote. Please take it out there, under [tools.http].',
    )
  const secret = host?.key === undefined ? null : keyName(host.origin)
  const stays = secret === null ? '' : ` Its key is still kept: pfar secret delete ${secret}`
  context.screen.out(`Forgotten. ${await renewed(context)}${stays}`)
  return 0
}

/** What a running home reports about the changed file. */
async function renewed(context: CommandContext): Promise<string> {
  const told = await askSocket(context, { method: 'webservices_reload', params: {} })
  return told.ok ? NOW : AGAIN
}

const KEYS =
  'Say how its key is sent: key, password, or the name of a header such as X-Api-Key. The host is then a name, or an address of four numbers.'
const LABELS = `A label is one of: ${HTTP_LABELS.join(', ')}.`

function labelIn(typed: string | undefined): HttpLabel | null {
  return typed === undefined ? UNLABELLED : (HTTP_LABELS.find((one) => one === typed.toLowerCase()) ?? null)
}

function labelFor(setting: HttpSetting, url: string): HttpLabel {
  return labelOf(setting, url) ?? UNLABELLED
}

function tableOf({ fields, ...request }: SavedRequest): string {
  return savedTable({ ...request, fields: fields.map(fieldText) })
}

function fieldWords(field: SavedRequest['fields'][number]): string {
  return `\n  ${fieldText(field)}`
}

/** An address read from the file may contain anything, so it is cleaned. */
function shown(text: string): string {
  return text.replace(/[^\x21-\x7e]/g, '?')
}

function open(context: CommandContext): Opened | ExitCode {
  const opened = openConfig(context)
  if (!opened.ok) return fail(context, opened)
  const { config, paths } = opened.value
  return { config, path: paths.config }
}

function byHand(context: CommandContext, table: string): ExitCode {
  return said(
    context,
    `config.toml could not be changed. Put this into it, in place of what it has of it:\n${table}`,
  )
}
