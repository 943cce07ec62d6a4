/**
 * Oura: fetches days that the ring measured and keeps them among the owner's health data, where the health tool answers from them. All of it is
 * `regulated:health`; what comes out is dates and counts. Reads only. Must not contain code. Listed in ../index.ts.
 */
import type { Compartment } from '../../../kernel/flow/level.ts'
import type { ToolManifest } from '../../../kernel/tool/manifest.ts'
import { OURA_CONNECT } from './connect.ts'

export const HOST = 'api.ouraring.com'

/** Days of one call: what is read within its time limit. */
export const MOST_DAYS = 100

/** UTF-16 units, as typed. */
const TYPED = 60

export const OURA_MANIFEST = Object.freeze<ToolManifest>({
  name: 'oura',
  version: '1.0.0',
  ownerOnly: true,
  places: ['home'],
  network: [HOST],
  credential: 'oura',
  connect: OURA_CONNECT,
  actions: [
    {
      id: 'oura.fetch',
      description:
        'Reads what the Oura ring measured into the health data of the owner: the newest days, or a period as people say it.',
      semantics: 'read',
      capability: 'health:read',
      ceiling: 'regulated',
      compartment: 'health' as Compartment,
      reaches: 'sensitive',
      sink: null,
      offline: {
        policy: { do: 'refuse' },
        why: 'its result is above what the edge may hold, so it is never asked for from there',
      },
      args: { kind: 'record', fields: { period: { kind: 'text', max: TYPED, optional: true } } },
      output: {
        kind: 'record',
        fields: {
          from: { kind: 'date' },
          to: { kind: 'date' },
          /** Those with data, and those of them that were not there before. */
          days: { kind: 'number' },
          fresh: { kind: 'number' },
          newest: { kind: 'date', optional: true },
        },
      },
    },
  ],
})
