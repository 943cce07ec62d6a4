/** Where drizzle-kit finds the schema of home's key store and puts its migrations. Read by `npm run migrations` only. */
import { defineConfig } from 'drizzle-kit'

export default defineConfig({
  dialect: 'sqlite',
  schema: './sidecar/keys/key-schema.ts',
  out: './migrations/keys',
})
