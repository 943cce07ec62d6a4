/** Fuzz targets of the edge's stores on their way to home's backup and back: heads, pages and imports, from either end. */

import { parseText } from '../../../durable-objects/platform/signature.ts'
import type { Json } from '../../../kernel/flow/json.ts'
import {
  importEndSchema,
  importPageSchema,
  importRegistrySchema,
  pageSchema,
  partHeadSchema,
} from '../../../kernel/tunnel/edge-part.ts'
import { parsePage } from '../../../sidecar/backup/edge-transfer.ts'
import type { Target } from '../target.ts'

const ID = 'a'.repeat(32)
const BOX = 'A'.repeat(107)
const PART = { id: ID, principal: 'principal:owner' }
const ROWS = {
  table: 'events',
  columns: ['id', 'at', 'bytes'],
  rows: [
    ['e1', 1, { bytes: 'AAAA' }],
    [null, 2, null],
  ],
}
const REGISTRY = {
  devices: [{ id: ID, publicKey: 'A'.repeat(43) }],
  revoked: ['b'.repeat(32)],
  timezone: 'UTC',
}

const again = (value: unknown): string => JSON.stringify(value)
const json = <T>(
  name: string,
  schema: Parameters<typeof parseText<T>>[0],
  samples: readonly Json[],
): Target => ({
  ...{ name, form: 'json', samples, again },
  parse: (input) => parseText(schema, String(input)),
})

export const EDGE_PART_TARGETS: readonly Target[] = [
  json('head of an edge store', partHeadSchema, [
    { ...PART, moment: 'x:1', schema: ['0000_first'], sealed: { key: ID, box: BOX }, registry: null },
    { id: ID, principal: null, moment: 'grows', schema: [], sealed: null, registry: REGISTRY },
  ]),
  json('page of an edge store', pageSchema, [
    { ...ROWS, next: { table: 'tasks', after: 3 } },
    { ...ROWS, next: null },
  ]),
  {
    ...{ name: 'page as home reads it', form: 'json', samples: [{ ...ROWS, next: null }], again },
    parse: (input) => parsePage(new TextEncoder().encode(String(input))),
  },
  json('page into an edge store', importPageSchema, [{ ...PART, page: ROWS }]),
  json('end of an edge import', importEndSchema, [{ ...PART, rows: 2, box: BOX }]),
  json('registry into an edge', importRegistrySchema, [{ id: ID, registry: REGISTRY }]),
]
