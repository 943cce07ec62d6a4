CREATE TABLE `offers` (
	`id` text PRIMARY KEY NOT NULL,
	`principal` text NOT NULL,
	`name` text NOT NULL,
	`key` text NOT NULL,
	`at` integer NOT NULL,
	`box` text,
	`arrivedAt` integer NOT NULL
);
