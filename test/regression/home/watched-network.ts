/**
 * Loaded before a process's own code (`node --import`): names are answered from a script, each next lookup by the next
 * answer, and every name asked for and every address connected to is written to a log; an address outside this machine
 * is never connected to. Must not touch anything else. Called through NODE_OPTIONS by the regression tests.
 */

import promises from 'node:dns/promises'
import { appendFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { isIP, Socket } from 'node:net'

const log = process.env['PFAR_TEST_NET_LOG'] ?? ''
/** Name → answers in turn, each a list of addresses; the last one is repeated. */
const names = JSON.parse(process.env['PFAR_TEST_NAMES'] ?? '{}') as Record<string, string[][]>
const note = (line: string): void => appendFileSync(log, `${line}\n`)
const isOwn = (address: string): boolean => /^(?:127\.|::1$|::ffff:127\.)/.test(address)

const lookup = async (hostname: string): Promise<readonly { address: string; family: number }[]> => {
  note(`lookup ${hostname}`)
  const answers = names[hostname] ?? []
  const found = answers.length > 1 ? (answers.shift() ?? []) : (answers[0] ?? [])
  if (found.length === 0) throw new Error('no such name')
  return found.map((address) => ({ address, family: isIP(address) }))
}
Object.assign(promises, { lookup })
syncBuiltinESMExports()

const connect = Socket.prototype.connect
Socket.prototype.connect = function watched(this: Socket, ...args: unknown[]) {
  const reach = (address: string): void => {
    note(`connect ${address}`)
    if (!isOwn(address)) this.destroy(new Error('outside this machine'))
  }
  this.prependListener('lookup', (_error: unknown, address: string | undefined) => {
    if (address !== undefined) reach(address)
  })
  const [first] = args.flat() as [{ host?: string; path?: string } | undefined]
  const host = typeof first === 'object' && first?.path === undefined ? first?.host : undefined
  if (host !== undefined && isIP(host) !== 0) reach(host)
  return this.destroyed ? this : Reflect.apply(connect, this, args)
} as typeof connect
