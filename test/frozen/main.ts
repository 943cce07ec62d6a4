/** `npm run frozen`: adds to names.json what is new on disk or on the wire. Takes nothing out: names.test.ts tells what is missing. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { compare, frozenNames, type Names } from './derive.ts'

const FILE = join(import.meta.dirname, 'names.json')
const frozen: Names = JSON.parse(readFileSync(FILE, 'utf8'))
const now = await frozenNames()
const { added } = compare(frozen, now)
const kinds = [...new Set([...Object.keys(frozen), ...Object.keys(now)])]
const both = kinds.map((kind) => [kind, [...new Set([...(frozen[kind] ?? []), ...(now[kind] ?? [])])].sort()])
writeFileSync(FILE, `${JSON.stringify(Object.fromEntries(both), null, 1)}\n`)
process.stdout.write(`${added.map((name) => `+ ${name}\n`).join('')}${added.length} added\n`)
