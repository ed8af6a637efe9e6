"""What lies on which shelf."""

from stockroom.errors import StockError
from stockroom.items import Item
from stockroom.session import Session
from stockroom.stock import Stock

__all__ = ["Item", "Session", "Stock", "StockError"]
