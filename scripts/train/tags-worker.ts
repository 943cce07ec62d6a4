/**
 * Worker thread that trains the tagger of parts while the main thread trains the planner's tables. Must not write. Started by
 * scripts/train.ts.
 */
import { parentPort } from 'node:worker_threads'
import { trainedParts } from './parts.ts'
import { wordsOfTable } from './table.ts'

parentPort?.postMessage(trainedParts(wordsOfTable()))
