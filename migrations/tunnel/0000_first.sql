CREATE TABLE `tunnel_cursors` (
	`name` text PRIMARY KEY NOT NULL,
	`value` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `tunnel_out` (
	`seq` integer PRIMARY KEY NOT NULL,
	`body` text NOT NULL
);
