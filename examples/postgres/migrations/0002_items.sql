CREATE TABLE items (
  order_id bigint NOT NULL REFERENCES orders,
  article text NOT NULL,
  pieces integer NOT NULL CHECK (pieces > 0),
  PRIMARY KEY (order_id, article)
);
