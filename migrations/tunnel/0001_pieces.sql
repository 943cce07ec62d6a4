CREATE TABLE `tunnel_pieces` (
	`seq` integer PRIMARY KEY NOT NULL,
	`n` integer NOT NULL,
	`of` integer NOT NULL,
	`sum` text NOT NULL,
	`bytes` integer NOT NULL,
	`text` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `__new_tunnel_out` (
	`seq` integer PRIMARY KEY NOT NULL,
	`bytes` integer NOT NULL,
	`body` text NOT NULL
);
--> statement-breakpoint
INSERT INTO `__new_tunnel_out`(`seq`, `bytes`, `body`) SELECT `seq`, length(`body`), `body` FROM `tunnel_out`;
--> statement-breakpoint
DROP TABLE `tunnel_out`;
--> statement-breakpoint
ALTER TABLE `__new_tunnel_out` RENAME TO `tunnel_out`;
