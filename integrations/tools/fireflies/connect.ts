/**
 * Instructions for getting a Fireflies key: pages and fields by their names there (L-12; written from Fireflies’ public
 * documentation; not checked against its pages). Data only. Read through manifest.ts.
 */
import type { ConnectSpec } from '../../../kernel/tool/manifest.ts'

export const FIREFLIES_CONNECT: ConnectSpec = Object.freeze({
  title: 'Fireflies',
  where:
    'Copy the API key of your account at https://app.fireflies.ai/settings ("Developer settings") and give me that; it looks like 01234567-89ab-cdef-0123-456789abcdef.',
  shape: '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}',
  steps: [
    '1. https://app.fireflies.ai/settings: "Developer settings", "API key", "Copy": paste it here.',
    'It sees the meetings that you see. On a free plan Fireflies answers 50 requests a day.',
  ],
  says: 'show my fireflies meetings',
})
